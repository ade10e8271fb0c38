/** An error whose message is meant for the user at the terminal. */
export class UsageError extends Error {}
