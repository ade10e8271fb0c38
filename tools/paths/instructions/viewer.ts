import type { Outcome } from '../../../src/machines/viewer/saving.rules.ts';
import type { ViewerEvent } from '../../../src/machines/viewer/viewer.setup.ts';
import {
  automatic,
  blocked,
  byHand,
  conflicting,
  type EventInstructions,
  follows,
  label,
  type MachineInstructions,
  onlyAutomated,
  withDeveloperTools,
} from './instruction.ts';

const displayCall = '*/resource/viewset/image/display';

const secondImage = (imageUid: string): string => (imageUid === 'two' ? 'the second image' : 'the first image');

export const viewer = {
  events: {
    'images.shown': byHand(
      'Open a mount with two images, or another mount; if the data name a changed image, change that image in another browser.',
    ),
    'changes.restored': ({ changes }) =>
      changes.length === 0
        ? follows('there is nothing to restore.')
        : byHand(
            `Before the path: stop the archive, measure an image, sign out and sign in again when the archive runs. Then press ${label('drafts:continue')}.`,
          ),
    'tool.chosen': ({ tool }) =>
      byHand(
        `Press ${label(tool === 'pan' ? 'viewer:tool-pan' : 'viewer:tool-window')} in ${label('viewer:toolbar')}.`,
      ),
    'image.opened': ({ imageUid }) => byHand(`Double-click ${secondImage(imageUid)}, or select it and press Enter.`),
    'image.loaded': follows('the image has been loaded.'),
    'image.failed': ({ imageUid }) =>
      withDeveloperTools(
        `Before the image is opened: block */rendition* under "Network request blocking", then open ${secondImage(imageUid)}. Afterwards: remove the block.`,
      ),
    'viewer.closed': byHand(`Press ${label('viewer:tool-back')}, or choose another page in the page header.`),
    'load.retried': byHand(`Press ${label('shell:retry')} in the place of the image.`),
    'display.settled': byHand(
      'Drag on the image with the window tool and release, or change brightness in the panel. If the data name followed images: link the images first.',
    ),
    'followed.confirmed': byHand(`Press ${label('viewer:saveFollowed_one')} or ${label('viewer:saveFollowed_other')}.`),
    'followed.discarded': byHand(`Press ${label('viewer:discardFollowed')}.`),
    'marks.settled': byHand(`Choose ${label('viewer:tool-length')} and draw a line on the image.`),
    'marks.hidden': byHand(`Press ${label('viewer:tool-marksHidden')}.`),
    'marks.shown': byHand(`Press ${label('viewer:showMarks')} on the image.`),
    'patient.closed': byHand('Choose another page in the page header.'),
    'image.calibrated': byHand(
      `Choose ${label('viewer:tool-calibrate')}, draw a line, enter its length and press ${label('viewer:calibrateNow')}.`,
    ),
    'gesture.begun': byHand('Press the mouse button on the image and drag; do not release it.'),
    'frame.chosen': byHand(
      `Open an image with several frames and press ${label('viewer:nextFrame')} or ${label('viewer:previousFrame')}.`,
    ),
    'image.reset': byHand(`Press ${label('viewer:tool-reset')}.`),
    'change.undone': byHand(`Press ${label('viewer:tool-undo')}.`),
    'change.redone': byHand(`Press ${label('viewer:tool-redo')}.`),
    'settings.changed': follows('the change has been made.'),
    'page.hidden': byHand('Switch to another tab.'),
  } satisfies EventInstructions<ViewerEvent>,
  replies: {
    'saveChanges done': (outcomes: readonly Outcome[]) => {
      const failure = outcomes.flatMap((outcome) => ('failure' in outcome ? [outcome.failure] : []))[0];
      if (!failure) return automatic;
      return failure.kind === 'offline' ? blocked(`${displayCall} and */resource/image/marks`) : conflicting;
    },
    'saveChanges offline': onlyAutomated('A change that cannot be sent arrives as a reply with a failure.'),
    'saveChanges unexpected': onlyAutomated('A change that cannot be sent arrives as a reply with a failure.'),
  },
} satisfies MachineInstructions;
