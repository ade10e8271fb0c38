import { type HubEvent, type HubEventName, hubEvents, hubPath } from '../../contract/hub.ts';
import { ServiceError } from './failure.ts';
import type { Tokens } from './tokens.ts';

export interface HubListener {
  readonly onOpened: () => void;
  readonly onLost: () => void;
  readonly onClosed: () => void;
  readonly onEvent: (event: HubEvent) => void;
}

export interface HubDependencies {
  readonly origin: string;
  /** Returns a valid token. */
  readonly bearer: () => Promise<string>;
}

/** After the last attempt the connection is closed and the listener reconnects. */
const reconnectDelaysMs = [5, 1_000, 3_000];

const names = Object.keys(hubEvents) as HubEventName[];

/** Returns the parsed hub event; null if it breaks the contract. */
export const hubEventOf = (name: HubEventName, body: unknown): HubEvent | null => {
  const parsed = hubEvents[name].safeParse(body);
  return parsed.success ? ({ name, body: parsed.data } as HubEvent) : null;
};

/** Creates a function that connects a listener to the hub and returns its disconnect. The client library is loaded at the first call. */
export const createHub =
  ({ origin, bearer }: HubDependencies) =>
  (listener: HubListener): (() => void) => {
    let isDisposed = false;
    let disconnect = () => {};

    const connect = async () => {
      const { HubConnectionBuilder, HttpTransportType, LogLevel } = await import('@microsoft/signalr');
      if (isDisposed) return;
      const connection = new HubConnectionBuilder()
        .withUrl(`${origin}${hubPath}`, {
          accessTokenFactory: bearer,
          transport: HttpTransportType.WebSockets | HttpTransportType.ServerSentEvents | HttpTransportType.LongPolling,
        })
        .withAutomaticReconnect(reconnectDelaysMs)
        .configureLogging(LogLevel.None)
        .build();
      disconnect = () => void connection.stop().catch(() => {});
      for (const name of names)
        connection.on(name, (body: unknown) => {
          const event = hubEventOf(name, body);
          if (event && !isDisposed) listener.onEvent(event);
        });
      connection.onreconnecting(() => {
        if (!isDisposed) listener.onLost();
      });
      connection.onreconnected(() => {
        if (!isDisposed) listener.onOpened();
      });
      connection.onclose(() => {
        if (!isDisposed) listener.onClosed();
      });
      await connection.start();
      if (isDisposed) return disconnect();
      listener.onOpened();
    };

    connect().catch(() => {
      if (!isDisposed) listener.onClosed();
    });
    return () => {
      isDisposed = true;
      disconnect();
    };
  };

/** Returns the current token, renewed if it is about to expire. */
export const validBearer = async (tokens: Tokens): Promise<string> => {
  const stored = tokens.current();
  if (!stored) throw new ServiceError({ kind: 'refused', status: 401, code: 'not-signed-in', errors: [] });
  return tokens.goodForMs(stored) > 0 ? stored.access_token : (await tokens.renew(stored.access_token)).access_token;
};
