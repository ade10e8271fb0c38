import type { EventFromLogic } from 'xstate';
import type { viewsetMachine } from '../../../src/machines/viewset/viewset.machine.ts';
import { restored } from './connection.ts';
import {
  automatic,
  blocked,
  byHand,
  conflicting,
  type EventInstructions,
  follows,
  label,
  type MachineInstructions,
  rejected,
  slowly,
} from './instruction.ts';

const mount = '*/resource/viewset/image/mount';
const unmount = '*/resource/viewset/image/unmount';
const move = '*/resource/viewset/image/move';

const withoutRight = byHand(
  'Before the previous step: in another browser, let an administrator remove the right to change mounts from the role of this user.',
);

export const viewset = {
  events: {
    'viewset.opened': byHand('On the page of a patient, choose a mount in the list on the left.'),
    'viewset.closed': byHand(
      `Leave the page of the patient, for example with ${label('shell:home')} in the page header.`,
    ),
    'opening.retried': byHand(`Press ${label('shell:retry')} in the place of the mount.`),
    'slot.selected': ({ itemIndex }) =>
      byHand(
        itemIndex === null
          ? 'Click the background beside the slots of the mount.'
          : `Click the slot with the number ${itemIndex}.`,
      ),
    'tray.selected': ({ imageUid }) =>
      byHand(imageUid === null ? 'Mount the only image of the tray.' : `Click an image in ${label('viewset:tray')}.`),
    'image.mounted': byHand(`Drag the image from ${label('viewset:tray')} to the slot.`),
    'image.unmounted': byHand(`Select the slot and press U: ${label('viewset:unmountAction')}.`),
    'image.reordered': ({ to }) =>
      byHand(
        to === null
          ? `Drag the image from its slot to ${label('viewset:tray')}.`
          : 'Drag the image from its slot to the other slot.',
      ),
    'image.moved-in': byHand(
      'Before the previous step: open the other mount, select a slot with an image and press Ctrl + X. Then select the slot here and press Ctrl + V.',
    ),
    'operations.restored': follows('the program offers the unsaved changes of an earlier session.'),
    'connection.restored': restored,
    'viewset.outdated': byHand('In another browser, move an image in the same mount.'),
  } satisfies EventInstructions<EventFromLogic<typeof viewsetMachine>>,
  replies: {
    'openViewset done': byHand(
      'Do nothing: the archive replies. If its reply differs from the mount on the page: before the previous step, move images of this mount in another browser.',
    ),
    'openViewset offline': blocked('*/resource/viewset/*'),
    'openViewset not-found': byHand(
      `Before the previous step: in another browser, delete the mount with ${label('viewset:deleteMount')}.`,
    ),
    'mountImage done': automatic,
    'mountImage conflict': conflicting,
    'mountImage offline': blocked(mount),
    'unmountImage done': automatic,
    'unmountImage no-right': withoutRight,
    'unmountImage offline': blocked(unmount),
    'moveImage done': automatic,
    'moveImage no-right': withoutRight,
    'moveImage not-signed-in': rejected(move, 'not-signed-in'),
  },
  delays: { loadingDelay: slowly },
} satisfies MachineInstructions;
