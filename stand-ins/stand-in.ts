/** A test server process that runs. */
export interface StandIn {
  /** Address for the browser. */
  readonly url: string;
  /** Environment of the archive for sign-in with this server. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}
