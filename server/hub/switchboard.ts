import { type Connection, type Listener, openConnection } from './connection.ts';
import { pingFrame } from './frames.ts';
import type { HubGroup } from './hub.ts';

/** The browsers that are connected to this node. */
export interface Switchboard {
  open(listener: Listener): Connection;
  find(token: string | undefined): Connection | undefined;
  /** Sends once to each live connection that is in any of the groups. */
  deliver(groups: readonly HubGroup[], text: string): void;
  /** Pings everybody and lets go of those who were silent for too long. */
  tick(): void;
  listeners(): Listener[];
  closeWhere(condition: (listener: Listener) => boolean): void;
}

/** The client pings every 15 seconds. */
const longestSilence = 30_000;

export const switchboard = (): Switchboard => {
  const connections = new Map<string, Connection>();
  const groups = new Map<HubGroup, Set<Connection>>();

  const forget = (connection: Connection): void => {
    connections.delete(connection.token);
    for (const name of connection.groups) {
      const members = groups.get(name);
      members?.delete(connection);
      if (members?.size === 0) groups.delete(name);
    }
  };
  return {
    open: (listener) => {
      const connection = openConnection(listener, forget);
      connections.set(connection.token, connection);
      for (const name of connection.groups) groups.set(name, (groups.get(name) ?? new Set()).add(connection));
      return connection;
    },
    find: (token) => (token === undefined ? undefined : connections.get(token)),
    deliver: (names, text) => {
      const addressed = new Set(names.flatMap((name) => [...(groups.get(name) ?? [])]));
      for (const connection of addressed) if (connection.isLive()) connection.send(text);
    },
    tick: () => {
      for (const connection of connections.values()) {
        if (connection.silence() > longestSilence) connection.close();
        else if (connection.isLive()) connection.send(pingFrame);
      }
    },
    listeners: () => [...connections.values()].map(({ listener }) => listener),
    closeWhere: (condition) => {
      for (const connection of connections.values()) if (condition(connection.listener)) connection.close();
    },
  };
};
