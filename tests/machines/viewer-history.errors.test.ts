import { plainDisplay } from '../../contract/displays.ts';
import { rulesOf } from './rules-of.ts';
import { bright, dark, stageImageOf } from './viewer-fixtures.ts';
import {
  aLength,
  at,
  calibrated,
  changesRestored,
  closed,
  confirmed,
  darkened,
  followedBy,
  followedConfirmed,
  followedDiscarded,
  gesture,
  imageIs,
  linkedVoi,
  marked,
  ready,
  redone,
  reset,
  settled,
  shown,
  undone,
  viewer,
} from './viewer-steps.ts';

rulesOf(viewer, {
  'records each step of an image, and undoes and redoes it': [
    [
      darkened,
      at('waiting'),
      { learns: { one: 'dark, near, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['one dark on 0'] } },
    ],
    [[...ready, gesture], { image: { ready: 'moving' }, changes: 'saved' }],
    [
      [...ready, gesture, settled(dark)],
      at('waiting'),
      { learns: { one: 'dark, near, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['one dark on 0'] } },
    ],
    [
      [...ready, settled(dark, 'two')],
      at('waiting'),
      { learns: { two: 'dark, near, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['two dark on 0'] } },
    ],
    [[...ready, settled(dark, 'another')], at('saved')],
    [[...ready, gesture, settled(dark, 'another')], { image: { ready: 'moving' }, changes: 'saved' }],
    [[...ready, gesture, undone], { image: { ready: 'moving' }, changes: 'saved' }],
    [
      [...ready, marked(aLength)],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 1 marks, 1 back, 0 forth',
          unsaved: ['one 1 marks on 0'],
        },
      },
    ],
    [
      [...ready, gesture, marked(aLength)],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 1 marks, 1 back, 0 forth',
          unsaved: ['one 1 marks on 0'],
        },
      },
    ],
    [[...ready, gesture, marked(aLength, 'another')], { image: { ready: 'moving' }, changes: 'saved' }],
    [
      [...ready, calibrated()],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, calibrated, 1 back, 0 forth',
          unsaved: ['one 0 marks on 0'],
        },
      },
    ],
    [
      [...ready, gesture, calibrated()],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, calibrated, 1 back, 0 forth',
          unsaved: ['one 0 marks on 0'],
        },
      },
    ],
    [[...ready, gesture, calibrated('another')], { image: { ready: 'moving' }, changes: 'saved' }],
    [
      [...darkened, undone],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 1 forth',
          unsaved: ['one unchanged on 0'],
        },
      },
    ],
    [
      [...darkened, undone, redone],
      at('waiting'),
      { learns: { one: 'dark, near, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['one dark on 0'] } },
    ],
    [[...ready, undone], at('saved'), { ignored: true }],
    [[...darkened, redone], at('waiting'), { ignored: true }],
    [
      [...darkened, settled(bright), undone, undone],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 2 forth',
          unsaved: ['one unchanged on 0'],
        },
      },
    ],
  ],
  'shows linked images that follow, and saves them when confirmed': [
    [
      [...ready, gesture, followedBy()],
      at('waiting'),
      {
        learns: {
          one: 'dark, near, frame 1, 0 marks, 1 back, 0 forth',
          two: 'in the linked window, near, frame 1, 0 marks, follows, 1 back, 0 forth',
          unsaved: ['one dark on 0'],
        },
      },
    ],
    [
      [...ready, followedBy(), followedConfirmed],
      at('waiting'),
      {
        learns: {
          two: 'in the linked window, near, frame 1, 0 marks, 1 back, 0 forth',
          unsaved: ['one dark on 0', 'two in the linked window on 0'],
        },
      },
    ],
    [
      [...ready, followedBy(), followedDiscarded],
      at('waiting'),
      { learns: { two: 'as its slot turns it, near, frame 1, 0 marks, 1 back, 0 forth' } },
    ],
    [[...ready, followedConfirmed], at('saved'), { ignored: true }],
    [[...ready, followedDiscarded], at('saved'), { ignored: true }],
    // Undone and redone for all of them in one step.
    [
      [...ready, followedBy(), undone],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 1 forth',
          two: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 1 forth',
          unsaved: ['one unchanged on 0'],
        },
      },
    ],
    [
      [...ready, followedBy(), undone, redone],
      at('waiting'),
      {
        learns: {
          one: 'dark, near, frame 1, 0 marks, 1 back, 0 forth',
          unsaved: ['one dark on 0'],
          two: 'in the linked window, near, frame 1, 0 marks, follows, 1 back, 0 forth',
        },
      },
    ],
    [
      [...ready, followedBy(), followedConfirmed, undone],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 1 forth',
          two: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 1 forth',
          unsaved: ['one unchanged on 0', 'two unchanged on 0'],
        },
      },
    ],
    // What the user has changed on the other image since stays.
    [
      [...ready, followedBy(), settled(bright, 'two'), undone],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 1 forth',
          unsaved: ['one unchanged on 0', 'two bright on 0'],
        },
      },
    ],
    // When something besides the window changes, the image is saved without the window that only follows.
    [
      [...ready, followedBy(), settled({ ...plainDisplay, rotation: 180, voi: linkedVoi }, 'two')],
      at('waiting'),
      {
        learns: {
          two: 'plain, near, frame 1, 0 marks, follows, 2 back, 0 forth',
          unsaved: ['one dark on 0', 'two plain on 0'],
        },
      },
    ],
    // Changed back, it follows no more.
    [
      [...ready, followedBy(), followedBy(null)],
      at('waiting'),
      {
        learns: {
          two: 'as its slot turns it, near, frame 1, 0 marks, 2 back, 0 forth',
        },
      },
    ],
    // It is discarded with the comparison, with all steps that did nothing else.
    [
      [...ready, followedBy(), { type: 'images.shown', images: [stageImageOf('two')] }],
      at('waiting'),
      {
        learns: {
          one: 'plain, whole, frame 1, 0 marks, 1 back, 0 forth',
          stage: ['two'],
          two: 'as its slot turns it, near, frame 1, 0 marks, 1 back, 0 forth',
        },
      },
    ],
    [
      [...ready, followedBy(), closed, shown],
      imageIs('empty', 'saving'),
      {
        learns: {
          one: 'dark, near, frame 1, 0 marks, 1 back, 0 forth',
          stage: ['one', 'two'],
          two: 'as its slot turns it, near, frame 1, 0 marks, 1 back, 0 forth',
        },
      },
    ],
    [[...ready, followedBy(), confirmed], at('waiting')],
  ],
  'resets an image in one step': [
    [
      [...darkened, reset],
      at('waiting'),
      {
        learns: {
          one: 'as its slot turns it, whole, frame 1, 0 marks, 2 back, 0 forth',
          unsaved: ['one unchanged on 0'],
        },
      },
    ],
    [[...ready, reset], at('saved'), { ignored: true }],
    [[...darkened, reset, reset], at('waiting')],
  ],
  'repeats what an earlier session could not save': [
    [
      [...ready, changesRestored(dark)],
      at('waiting'),
      { learns: { one: 'dark, whole, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['one dark on 0'] } },
    ],
    [[changesRestored(dark)], imageIs('empty')],
  ],
  'shows what the archive returns, unless the user has changed it': [
    [[...ready, confirmed], at('saved'), { learns: { one: 'bright, whole, frame 1, 0 marks, 0 back, 0 forth' } }],
    [[...darkened, confirmed], at('waiting')],
  ],
});
