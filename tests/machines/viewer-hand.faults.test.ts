import { rulesOf } from './rules-of.ts';
import { bright, dark } from './viewer-room.ts';
import {
  aLength,
  at,
  broke,
  calibrated,
  changesRestored,
  closed,
  darkened,
  frame,
  gesture,
  holding,
  leftBehind,
  loaded,
  loadRetried,
  marked,
  opened,
  ready,
  redone,
  reset,
  settled,
  shown,
  told,
  toolChosen,
  undone,
  viewer,
} from './viewer-steps.ts';

rulesOf(viewer, {
  'begins with empty hands': [
    [
      [],
      holding('empty'),
      {
        learns: {
          imageUid: null,
          tool: 'window',
          loaded: {},
          attempt: 0,
          stage: [],
          one: 'plain, whole, frame 1, 0 marks, 0 back, 0 forth',
          two: 'plain, whole, frame 1, 0 marks, 0 back, 0 forth',
          unsaved: [],
        },
      },
    ],
    [
      [shown],
      holding('empty'),
      {
        learns: {
          stage: ['one', 'two'],
          one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 0 forth',
          two: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 0 forth',
        },
      },
    ],
    [[toolChosen], holding('empty'), { learns: { tool: 'length' } }],
    [[settled(dark)], holding('empty')],
    [[closed], holding('empty')],
  ],
  'takes an image in hand, and knows whether it can be seen': [
    [[shown, opened()], holding('loading'), { learns: { imageUid: 'one' } }],
    [ready, at('kept'), { learns: { loaded: { one: 2 } } }],
    [[shown, opened(), broke()], holding('failed'), { learns: { loaded: { one: 'failed' } } }],
    [[shown, opened(), loaded('two')], holding('loading'), { learns: { loaded: { two: 2 } } }],
    [[shown, opened(), broke('two')], holding('loading'), { learns: { loaded: { two: 'failed' } } }],
    [[shown, opened(), opened()], holding('loading')],
    [[...ready, opened()], at('kept'), { refused: true }],
    [[...ready, gesture, opened()], { hand: { ready: 'moving' }, keeping: 'kept' }],
    [[...ready, opened('two')], holding('loading'), { learns: { imageUid: 'two' } }],
    [[shown, loaded('two'), opened('two')], at('kept'), { learns: { imageUid: 'two' } }],
    [[shown, broke('two'), opened('two')], holding('failed'), { learns: { imageUid: 'two' } }],
    [[...ready, loaded('two'), opened('two')], at('kept'), { learns: { imageUid: 'two' } }],
    [[...ready, broke('two'), opened('two')], holding('failed'), { learns: { imageUid: 'two' } }],
    [[shown, opened(), broke(), opened()], holding('failed'), { refused: true }],
  ],
  'tries again to load what could not be': [
    [[shown, opened(), broke(), loadRetried], holding('loading'), { learns: { loaded: {}, attempt: 1 } }],
    [[shown, opened(), broke(), loaded()], at('kept'), { learns: { loaded: { one: 2 } } }],
    [[shown, opened(), broke(), loaded('two')], holding('failed'), { learns: { loaded: { one: 'failed', two: 2 } } }],
    [[...ready, broke()], holding('failed'), { learns: { loaded: { one: 'failed' } } }],
    [[...ready, broke('two')], at('kept'), { learns: { loaded: { one: 2, two: 'failed' } } }],
    [[...ready, loaded('one', 3)], at('kept'), { learns: { loaded: { one: 3 } } }],
    [[...ready, loadRetried], at('kept')],
  ],
  'leaves the stage': [
    [
      [...ready, closed],
      holding('empty'),
      {
        learns: leftBehind,
      },
    ],
    [
      [shown, opened(), closed],
      holding('empty'),
      {
        learns: {
          imageUid: null,
          stage: [],
          one: 'plain, whole, frame 1, 0 marks, 0 back, 0 forth',
          two: 'plain, whole, frame 1, 0 marks, 0 back, 0 forth',
        },
      },
    ],
    [
      [shown, opened(), broke(), closed],
      holding('empty'),
      {
        learns: leftBehind,
      },
    ],
  ],
  'remembers each step of an image, and walks back and forth': [
    [
      darkened,
      at('resting'),
      { learns: { one: 'dark, near, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['one dark on 0'] } },
    ],
    [[...ready, gesture], { hand: { ready: 'moving' }, keeping: 'kept' }],
    [
      [...ready, gesture, settled(dark)],
      at('resting'),
      { learns: { one: 'dark, near, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['one dark on 0'] } },
    ],
    [
      [...ready, settled(dark, 'two')],
      at('resting'),
      { learns: { two: 'dark, near, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['two dark on 0'] } },
    ],
    [[...ready, settled(dark, 'another')], at('kept')],
    [[...ready, gesture, settled(dark, 'another')], { hand: { ready: 'moving' }, keeping: 'kept' }],
    [[...ready, gesture, undone], { hand: { ready: 'moving' }, keeping: 'kept' }],
    [
      [...ready, marked(aLength)],
      at('resting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 1 marks, 1 back, 0 forth',
          unsaved: ['one 1 marks on 0'],
        },
      },
    ],
    [
      [...ready, gesture, marked(aLength)],
      at('resting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 1 marks, 1 back, 0 forth',
          unsaved: ['one 1 marks on 0'],
        },
      },
    ],
    [[...ready, gesture, marked(aLength, 'another')], { hand: { ready: 'moving' }, keeping: 'kept' }],
    [
      [...ready, calibrated()],
      at('resting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, calibrated, 1 back, 0 forth',
          unsaved: ['one 0 marks on 0'],
        },
      },
    ],
    [
      [...ready, gesture, calibrated()],
      at('resting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, calibrated, 1 back, 0 forth',
          unsaved: ['one 0 marks on 0'],
        },
      },
    ],
    [[...ready, gesture, calibrated('another')], { hand: { ready: 'moving' }, keeping: 'kept' }],
    [
      [...darkened, undone],
      at('resting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 1 forth',
          unsaved: ['one unchanged on 0'],
        },
      },
    ],
    [
      [...darkened, undone, redone],
      at('resting'),
      { learns: { one: 'dark, near, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['one dark on 0'] } },
    ],
    [[...ready, undone], at('kept'), { refused: true }],
    [[...darkened, redone], at('resting'), { refused: true }],
    [
      [...darkened, settled(bright), undone, undone],
      at('resting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 2 forth',
          unsaved: ['one unchanged on 0'],
        },
      },
    ],
  ],
  'shows a frame that there is': [
    [
      [...ready, frame(2)],
      at('kept'),
      { learns: { one: 'as its slot turns it, whole, frame 2, 0 marks, 0 back, 0 forth' } },
    ],
    [[...ready, frame(1)], at('kept'), { refused: true }],
    [[...ready, frame(3)], at('kept'), { refused: true }],
    [[...ready, frame(0)], at('kept'), { refused: true }],
    [[...ready, frame(1.5)], at('kept'), { refused: true }],
    [[opened(), loaded(), frame(2)], at('kept'), { refused: true }],
    [
      [...ready, frame(2), frame(1)],
      at('kept'),
      { learns: { one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 0 forth' } },
    ],
  ],
  'shows an image as if nobody had changed it, once': [
    [
      [...darkened, reset],
      at('resting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, 2 back, 0 forth',
          unsaved: ['one unchanged on 0'],
        },
      },
    ],
    [[...ready, reset], at('kept'), { refused: true }],
    [[...darkened, reset, reset], at('resting')],
  ],
  'does again what an earlier session could not save': [
    [
      [...ready, changesRestored(dark)],
      at('resting'),
      { learns: { one: 'dark, whole, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['one dark on 0'] } },
    ],
    [[changesRestored(dark)], holding('empty')],
  ],
  'shows what the archive says, unless a person has changed that': [
    [[...ready, told], at('kept'), { learns: { one: 'bright, whole, frame 1, 0 marks, 0 back, 0 forth' } }],
    [[...darkened, told], at('resting')],
  ],
});
