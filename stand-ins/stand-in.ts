/** A test server process that runs. */
export interface StandIn {
  /** What a person opens in a browser. */
  readonly url: string;
  /** What the archive is to be told, for it to speak with this server. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}
