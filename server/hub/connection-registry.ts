import { randomUUID } from 'node:crypto';
import { type Connection, openConnection, type Subscriber } from './connection.ts';
import { pingFrame } from './frames.ts';
import type { HubGroup } from './hub.ts';

/** The hub connections of this node. */
export interface ConnectionRegistry {
  /** `token`: that of `negotiate`, which another node may have answered. */
  open(listener: Subscriber, token?: string): Connection;
  /** A connection can only be used by the account that opened it, even if its token leaks. */
  find(accountId: string, token: string | undefined): Connection | undefined;
  /** Sends once to each active connection in any of the groups. */
  deliver(groups: readonly HubGroup[], text: string): void;
  /** Pings all connections and closes idle ones. */
  tick(): void;
  subscribers(): Subscriber[];
  closeWhere(condition: (listener: Subscriber) => boolean): void;
}

/** Clients ping every 15 seconds. */
const maxIdleMs = 30_000;

const keyOf = (accountId: string, token: string): string => `${accountId} ${token}`;

export const createConnectionRegistry = (): ConnectionRegistry => {
  const connections = new Map<string, Connection>();
  const groups = new Map<HubGroup, Set<Connection>>();

  const remove = (connection: Connection): void => {
    connections.delete(keyOf(connection.subscriber.accountId, connection.token));
    for (const name of connection.groups) {
      const members = groups.get(name);
      members?.delete(connection);
      if (members?.size === 0) groups.delete(name);
    }
  };
  return {
    open: (listener, token = randomUUID()) => {
      const connection = openConnection(listener, token, remove);
      connections.set(keyOf(listener.accountId, token), connection);
      for (const name of connection.groups) groups.set(name, (groups.get(name) ?? new Set()).add(connection));
      return connection;
    },
    find: (accountId, token) => (token === undefined ? undefined : connections.get(keyOf(accountId, token))),
    deliver: (names, text) => {
      const addressed = new Set(names.flatMap((name) => [...(groups.get(name) ?? [])]));
      for (const connection of addressed) if (connection.isLive()) connection.send(text);
    },
    tick: () => {
      for (const connection of connections.values()) {
        if (connection.idleMs() > maxIdleMs) connection.close();
        else if (connection.isLive()) connection.send(pingFrame);
      }
    },
    subscribers: () => [...connections.values()].map(({ subscriber: listener }) => listener),
    closeWhere: (condition) => {
      for (const connection of connections.values()) if (condition(connection.subscriber)) connection.close();
    },
  };
};
