import { done, failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';
import { bright, dark } from './viewer-fixtures.ts';
import {
  aLength,
  at,
  calibrated,
  changesRestored,
  closed,
  confirmed,
  darkened,
  displayChange,
  hidden,
  imageIs,
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
  undone,
  viewer,
} from './viewer-steps.ts';

const conflict = refused('conflict');
/** The archive saved one change, and was unavailable for the other. */
const takenInPart = done('saveChanges', [
  { change: displayChange(dark, 0), version: 1 },
  { change: { ...displayChange(dark, 0), imageUid: 'two' }, failure: offline },
]);
const delayed = [...saving, notTaken(dark, offline)];

rulesOf(viewer, {
  'saves half a second after the last change': [
    [[...darkened, 499], at('waiting')],
    [
      saving,
      at('saving'),
      {
        calls: [save(dark)],
      },
    ],
    [[...darkened, 400, settled(bright), 499], at('waiting')],
    [
      [...darkened, 400, settled(bright), 500],
      at('saving'),
      {
        calls: [save(bright)],
      },
    ],
    [[...darkened, 400, undone, 400], at('waiting')],
    [[...darkened, 400, changesRestored(bright), 400], at('waiting')],
    [[...darkened, 400, marked(aLength), 400], at('waiting')],
    [[...darkened, 400, calibrated(), 400], at('waiting')],
    [[...darkened, 400, reset, 400], at('waiting')],
    [[...darkened, undone, 400, redone, 400], at('waiting')],
    [[...ready, 10_000], at('saved')],
  ],
  'saves at once when the page is left': [
    [
      [...darkened, hidden],
      at('saving'),
      {
        calls: [save(dark)],
      },
    ],
    [
      [...darkened, closed],
      imageIs('empty', 'saving'),
      {
        calls: [save(dark)],
        learns: { ...leftBehind, one: 'plain, whole, frame 1, 0 marks, 1 back, 0 forth' },
      },
    ],
    [[...ready, hidden], at('saved')],
  ],
  'has the new version when the archive has saved it': [
    [[...saving, taken(dark, 0)], at('saved'), { learns: { unsaved: [] } }],
    [
      [...saving, settled(bright)],
      at('saving'),
      { learns: { one: 'bright, near, frame 1, 0 marks, 2 back, 0 forth', unsaved: ['one bright on 0'] } },
    ],
    [[...saving, settled(bright), taken(dark, 0)], at('waiting'), { learns: { unsaved: ['one bright on 1'] } }],
    [
      [...saving, settled(bright), taken(dark, 0), 500],
      at('saving'),
      {
        calls: [save(bright, 1)],
      },
    ],
    [
      [...saving, closed],
      imageIs('empty', 'saving'),
      {
        learns: { ...leftBehind, one: 'plain, whole, frame 1, 0 marks, 1 back, 0 forth' },
      },
    ],
  ],
  'undoes a permanently rejected change, and reports it': [
    [
      [...saving, notTaken(dark, conflict)],
      at('saved'),
      {
        emitted: [{ type: 'save.rejected', imageUid: 'one', failure: conflict }],
        learns: { one: 'as its slot turns it, near, frame 1, 0 marks, 0 back, 0 forth', unsaved: [] },
      },
    ],
    [
      [...saving, confirmed, notTaken(dark, conflict)],
      at('saved'),
      {
        emitted: [{ type: 'save.rejected', imageUid: 'one', failure: conflict }],
        learns: { one: 'bright, near, frame 1, 0 marks, 0 back, 0 forth', unsaved: [] },
      },
    ],
  ],
  'retries a temporary failure after five seconds': [
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
        calls: [save(dark)],
      },
    ],
    [
      [...delayed, hidden],
      at('saving'),
      {
        calls: [save(dark)],
      },
    ],
    [
      [...delayed, closed],
      imageIs('empty', 'saving'),
      {
        calls: [save(dark)],
        learns: { ...leftBehind, one: 'plain, whole, frame 1, 0 marks, 1 back, 0 forth' },
      },
    ],
    [[...delayed, settled(bright), 500], at('delayed')],
    [[...delayed, 5_000, taken(dark, 0)], at('saved'), { learns: { unsaved: [] } }],
  ],
});
