import { Notifications } from '@mantine/notifications';
import { expect, it } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import type { Change, Outcome } from '../../../src/machines/viewer/saving.rules.ts';
import { type ViewerActor, viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import { useSaveRefusals } from '../../../src/views/viewer/use-save-refusals.ts';
import { dark, placeOf } from '../../machines/viewer-room.ts';
import { show } from '../render.tsx';

const Listener = ({ actor }: { readonly actor: ViewerActor }) => {
  useSaveRefusals(actor);
  return <Notifications />;
};

it('tells the person whose change of an image came second', async () => {
  const machine = viewerMachine.provide({
    actors: {
      saveChanges: fromPromise<readonly Outcome[], readonly Change[]>(async ({ input }) =>
        input.map((change) => ({
          change,
          failure: { kind: 'refused', status: 409, code: 'conflict', errors: [] },
        })),
      ),
    },
  });
  const actor = createActor(machine).start();
  await show(<Listener actor={actor} />);
  actor.send({ type: 'images.shown', places: [placeOf('one')] });
  actor.send({ type: 'image.loaded', imageUid: 'one', frames: 1 });
  actor.send({ type: 'image.opened', imageUid: 'one' });
  actor.send({ type: 'display.settled', imageUid: 'one', display: dark, view: 'fit' });
  actor.send({ type: 'page.hidden' });
  await expect
    .poll(() => document.body.textContent)
    .toContain('Somebody else changed this image first; you see it as it is now');
});
