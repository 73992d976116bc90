/** The dialogs about accounts, as one file to load. */
export { NameDialog } from "../people/NameDialog";
export { RegisterDialog } from "./RegisterDialog";
export { SignInDialog } from "./SignInDialog";
