import { Notifications } from '@mantine/notifications';
import { expect, it } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import type { Change, Outcome } from '../../../src/machines/viewer/saving.rules.ts';
import { type ViewerActor, viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import { useSaveErrors } from '../../../src/views/workspace/use-save-errors.ts';
import { dark, stageImageOf } from '../../machines/viewer-fixtures.ts';
import { show } from '../render.tsx';

const Listener = ({ actor }: { readonly actor: ViewerActor }) => {
  useSaveErrors(actor);
  return <Notifications />;
};

it('reports a conflict when another user has changed the image first', async () => {
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
  actor.send({ type: 'images.shown', images: [stageImageOf('one')] });
  actor.send({ type: 'image.loaded', imageUid: 'one', frames: 1 });
  actor.send({ type: 'image.opened', imageUid: 'one' });
  actor.send({ type: 'display.settled', imageUid: 'one', display: dark, view: 'fit' });
  actor.send({ type: 'page.hidden' });
  await expect
    .poll(() => document.body.textContent)
    .toContain('Another user changed this image first. The current version is shown');
});
