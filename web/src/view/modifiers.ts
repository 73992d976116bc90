/** Whether a key is pressed together with one that makes a command of the browser of it, as Alt and an arrow lead back. */
export const hasModifier = (event: KeyboardEvent): boolean => event.altKey || event.ctrlKey || event.metaKey;
