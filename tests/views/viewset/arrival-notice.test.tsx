import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Viewset } from '../../../contract/viewsets.ts';
import { ArrivalNotice } from '../../../src/views/workspace/viewset/arrival-notice.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { anImage, aSlot, aViewset } from '../records.ts';
import { show } from '../render.tsx';

const slots = [aSlot(4, { order: 2 }), aSlot(9, { order: 1, activeImage: anImage('a') }), aSlot(7, { order: 3 })];
const notice = (arrival: Viewset['arrival']) =>
  show(
    <InWorkspace>
      <ArrivalNotice viewset={aViewset(slots, { arrival })} />
    </InWorkspace>,
  );

it('names the slots whose images have not arrived, and what the mount does not show', async () => {
  const missing = [7, 4].map((itemIndex) => ({ itemIndex, sopInstanceUid: `2.25.${itemIndex}` }));
  await notice({ missing, notTaken: ['texts', 'of a later version'] });
  expect(screen.getByRole('status').textContent).toBe(
    'This mount arrived as a DICOM object. 2 images have not arrived: slots 2 and 3. They are mounted when they are imported. Not shown: texts beside the slots.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('status')).toBeNull();
});

it.each([null, { missing: [], notTaken: [] }])('says nothing of a mount that lacks nothing: %o', async (arrival) => {
  await notice(arrival);
  expect(screen.queryByRole('status')).toBeNull();
});
