import { type HubEvent, type HubEventName, hubEvents, hubPath } from '../../contract/hub.ts';
import { ServiceError } from './failure.ts';
import type { Tokens } from './tokens.ts';

export interface HubListener {
  readonly onOpened: () => void;
  readonly onLost: () => void;
  readonly onClosed: () => void;
  readonly onNews: (news: HubEvent) => void;
}

export interface HubDependencies {
  readonly origin: string;
  /** A token that is good now. */
  readonly bearer: () => Promise<string>;
}

/** The first attempt comes at once; when all have failed the connection counts as closed, and who listens begins anew. */
const reconnectDelaysMs = [5, 1_000, 3_000];

const names = Object.keys(hubEvents) as HubEventName[];

/** News as the contract knows it; null for what it does not. */
export const newsOf = (name: HubEventName, body: unknown): HubEvent | null => {
  const parsed = hubEvents[name].safeParse(body);
  return parsed.success ? ({ name, body: parsed.data } as HubEvent) : null;
};

/** Connects to the import hub and tells what it hears. Returns what hangs up. The hub's own code is loaded with the first call. */
export const createHub =
  ({ origin, bearer }: HubDependencies) =>
  (listener: HubListener): (() => void) => {
    let left = false;
    let hangUp = () => {};

    const connect = async () => {
      const { HubConnectionBuilder, HttpTransportType, LogLevel } = await import('@microsoft/signalr');
      if (left) return;
      const connection = new HubConnectionBuilder()
        .withUrl(`${origin}${hubPath}`, {
          accessTokenFactory: bearer,
          transport: HttpTransportType.WebSockets | HttpTransportType.ServerSentEvents | HttpTransportType.LongPolling,
        })
        .withAutomaticReconnect(reconnectDelaysMs)
        .configureLogging(LogLevel.None)
        .build();
      hangUp = () => void connection.stop().catch(() => {});
      for (const name of names)
        connection.on(name, (body: unknown) => {
          const news = newsOf(name, body);
          if (news && !left) listener.onNews(news);
        });
      connection.onreconnecting(() => {
        if (!left) listener.onLost();
      });
      connection.onreconnected(() => {
        if (!left) listener.onOpened();
      });
      connection.onclose(() => {
        if (!left) listener.onClosed();
      });
      await connection.start();
      if (left) return hangUp();
      listener.onOpened();
    };

    connect().catch(() => {
      if (!left) listener.onClosed();
    });
    return () => {
      left = true;
      hangUp();
    };
  };

/** The current token, renewed first when it is about to end. */
export const goodBearer = async (tokens: Tokens): Promise<string> => {
  const held = tokens.current();
  if (!held) throw new ServiceError({ kind: 'refused', status: 401, code: 'not-signed-in', errors: [] });
  return tokens.goodForMs(held) > 0 ? held.access_token : (await tokens.renew(held.access_token)).access_token;
};
