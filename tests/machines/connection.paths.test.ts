import { expect, it } from 'vitest';
import { selectConnectionState, selectIsLive } from '../../src/machines/connection/connection.machine.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { changeEvent, connection } from './models/connection.ts';

const invariants: Invariants = (snapshot) => {
  expect(selectIsLive(snapshot as never)).toBe(selectConnectionState(snapshot as never) === 'live');
  // Change events are accepted only while the connection is live.
  expect(snapshot.can({ type: 'hub-event.received', hubEvent: changeEvent })).toBe(snapshot.matches({ open: 'live' }));
  // The hub is listened to exactly while the connection is not closed.
  expect('listenToHub' in snapshot.children).toBe(!snapshot.matches('closed'));
};

it('walks every transition of the connection', () => walkAll([{ ...connection, invariants }]));
