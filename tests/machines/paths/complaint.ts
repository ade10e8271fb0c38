/** An error whose message is meant for the person at the terminal. */
export class Complaint extends Error {}
