import { done, failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';
import { bright, dark } from './viewer-room.ts';
import {
  aLength,
  at,
  calibrated,
  changesRestored,
  closed,
  darkened,
  display,
  hidden,
  holding,
  leftBehind,
  marked,
  notTaken,
  ready,
  redone,
  reset,
  save,
  saving,
  settled,
  taken,
  told,
  undone,
  viewer,
} from './viewer-steps.ts';

const conflict = refused('conflict');
/** The archive took one change, and was away for the other. */
const takenInPart = done('saveChanges', [
  { change: display(dark, 0), version: 1 },
  { change: { ...display(dark, 0), imageUid: 'two' }, failure: offline },
]);
const delayed = [...saving, notTaken(dark, offline)];

rulesOf(viewer, {
  'saves when a change has rested for half a second': [
    [[...darkened, 499], at('resting')],
    [
      saving,
      at('saving'),
      {
        asks: [save(dark)],
      },
    ],
    [[...darkened, 400, settled(bright), 499], at('resting')],
    [
      [...darkened, 400, settled(bright), 500],
      at('saving'),
      {
        asks: [save(bright)],
      },
    ],
    [[...darkened, 400, undone, 400], at('resting')],
    [[...darkened, 400, changesRestored(bright), 400], at('resting')],
    [[...darkened, 400, marked(aLength), 400], at('resting')],
    [[...darkened, 400, calibrated(), 400], at('resting')],
    [[...darkened, 400, reset, 400], at('resting')],
    [[...darkened, undone, 400, redone, 400], at('resting')],
    [[...ready, 10_000], at('kept')],
  ],
  'saves at once when the page is left': [
    [
      [...darkened, hidden],
      at('saving'),
      {
        asks: [save(dark)],
      },
    ],
    [
      [...darkened, closed],
      holding('empty', 'saving'),
      {
        asks: [save(dark)],
        learns: { ...leftBehind, one: 'plain, whole, frame 1, 0 marks, 1 back, 0 forth' },
      },
    ],
    [[...ready, hidden], at('kept')],
  ],
  'is kept when the archive has taken it': [
    [[...saving, taken(dark, 0)], at('kept'), { learns: { unsaved: [] } }],
    [
      [...saving, settled(bright)],
      at('saving'),
      { learns: { one: 'bright, near, frame 1, 0 marks, 2 back, 0 forth', unsaved: ['one bright on 0'] } },
    ],
    [[...saving, settled(bright), taken(dark, 0)], at('resting'), { learns: { unsaved: ['one bright on 1'] } }],
    [
      [...saving, settled(bright), taken(dark, 0), 500],
      at('saving'),
      {
        asks: [save(bright, 1)],
      },
    ],
    [
      [...saving, closed],
      holding('empty', 'saving'),
      {
        learns: { ...leftBehind, one: 'plain, whole, frame 1, 0 marks, 1 back, 0 forth' },
      },
    ],
  ],
  'takes back what is refused for good, and says so': [
    [
      [...saving, notTaken(dark, conflict)],
      at('kept'),
      {
        told: [{ type: 'save.refused', imageUid: 'one', failure: conflict }],
        learns: { one: 'as its slot turns it, near, frame 1, 0 marks, 0 back, 0 forth', unsaved: [] },
      },
    ],
    [
      [...saving, told, notTaken(dark, conflict)],
      at('kept'),
      {
        told: [{ type: 'save.refused', imageUid: 'one', failure: conflict }],
        learns: { one: 'bright, near, frame 1, 0 marks, 0 back, 0 forth', unsaved: [] },
      },
    ],
  ],
  'sends again after five seconds what could not be taken now': [
    [delayed, at('delayed')],
    [
      [...ready, settled(dark), settled(dark, 'two'), 500, takenInPart],
      at('delayed'),
      { learns: { unsaved: ['two dark on 0'] } },
    ],
    [[...saving, failed('saveChanges', offline)], at('delayed')],
    [[...saving, notTaken(dark, refused('too-many-requests'))], at('delayed')],
    [[...saving, notTaken(dark, refused('not-signed-in'))], at('delayed')],
    [[...delayed, 4_999], at('delayed')],
    [
      [...delayed, 5_000],
      at('saving'),
      {
        asks: [save(dark)],
      },
    ],
    [
      [...delayed, hidden],
      at('saving'),
      {
        asks: [save(dark)],
      },
    ],
    [
      [...delayed, closed],
      holding('empty', 'saving'),
      {
        asks: [save(dark)],
        learns: { ...leftBehind, one: 'plain, whole, frame 1, 0 marks, 1 back, 0 forth' },
      },
    ],
    [[...delayed, settled(bright), 500], at('delayed')],
    [[...delayed, 5_000, taken(dark, 0)], at('kept'), { learns: { unsaved: [] } }],
  ],
});
