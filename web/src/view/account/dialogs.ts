/** The dialogs about accounts, as one file to load. */
export { RegisterDialog } from "./RegisterDialog";
export { SignInDialog } from "./SignInDialog";
