import { fromCallback } from 'xstate';
import { connectionMachine } from '../machines/connection/connection.machine.ts';
import type { RoomServices } from './room-services.ts';

export const wiredConnection = ({ hub, news }: Pick<RoomServices, 'hub' | 'news'>) => {
  let openedBefore = false;
  return connectionMachine.provide({
    actors: {
      listenToHub: fromCallback(({ sendBack }) =>
        hub({
          onOpened: () => {
            if (openedBefore) news.missed();
            openedBefore = true;
            sendBack({ type: 'connection.opened' });
          },
          onLost: () => sendBack({ type: 'connection.lost' }),
          onClosed: () => sendBack({ type: 'connection.closed' }),
          onNews: (heard) => {
            news.hear(heard);
            sendBack({ type: 'news.heard', news: heard });
          },
        }),
      ),
    },
  });
};
