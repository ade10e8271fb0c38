import { plainDisplay } from '../../contract/displays.ts';
import { rulesOf } from './rules-of.ts';
import { dark, stageImageOf } from './viewer-fixtures.ts';
import {
  at,
  broke,
  closed,
  darkened,
  frame,
  gesture,
  imageIs,
  leftBehind,
  loaded,
  loadRetried,
  opened,
  ready,
  settled,
  shown,
  toolChosen,
  viewer,
} from './viewer-steps.ts';

rulesOf(viewer, {
  'starts without an active image': [
    [
      [],
      imageIs('empty'),
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
      imageIs('empty'),
      {
        learns: {
          stage: ['one', 'two'],
          one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 0 forth',
          two: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 0 forth',
        },
      },
    ],
    [[toolChosen], imageIs('empty'), { learns: { tool: 'length' } }],
    [[settled(dark)], imageIs('empty')],
    [[closed], imageIs('empty')],
  ],
  'opens an image, and knows whether it can be displayed': [
    [[shown, opened()], imageIs('loading'), { learns: { imageUid: 'one' } }],
    [ready, at('saved'), { learns: { loaded: { one: 2 } } }],
    [[shown, opened(), broke()], imageIs('failed'), { learns: { loaded: { one: 'failed' } } }],
    [[shown, opened(), loaded('two')], imageIs('loading'), { learns: { loaded: { two: 2 } } }],
    [[shown, opened(), broke('two')], imageIs('loading'), { learns: { loaded: { two: 'failed' } } }],
    [[shown, opened(), opened()], imageIs('loading')],
    [[...ready, opened()], at('saved'), { ignored: true }],
    [[...ready, gesture, opened()], { image: { ready: 'moving' }, changes: 'saved' }],
    [[...ready, opened('two')], imageIs('loading'), { learns: { imageUid: 'two' } }],
    [[shown, loaded('two'), opened('two')], at('saved'), { learns: { imageUid: 'two' } }],
    [[shown, broke('two'), opened('two')], imageIs('failed'), { learns: { imageUid: 'two' } }],
    [[...ready, loaded('two'), opened('two')], at('saved'), { learns: { imageUid: 'two' } }],
    [[...ready, broke('two'), opened('two')], imageIs('failed'), { learns: { imageUid: 'two' } }],
    [[shown, opened(), broke(), opened()], imageIs('failed'), { ignored: true }],
  ],
  'retries a failed load': [
    [[shown, opened(), broke(), loadRetried], imageIs('loading'), { learns: { loaded: {}, attempt: 1 } }],
    [[shown, opened(), broke(), loaded()], at('saved'), { learns: { loaded: { one: 2 } } }],
    [[shown, opened(), broke(), loaded('two')], imageIs('failed'), { learns: { loaded: { one: 'failed', two: 2 } } }],
    [[...ready, broke()], imageIs('failed'), { learns: { loaded: { one: 'failed' } } }],
    [[...ready, broke('two')], at('saved'), { learns: { loaded: { one: 2, two: 'failed' } } }],
    [[...ready, loaded('one', 3)], at('saved'), { learns: { loaded: { one: 3 } } }],
    [[...ready, loadRetried], at('saved')],
  ],
  'leaves the stage': [
    [
      [...ready, closed],
      imageIs('empty'),
      {
        learns: leftBehind,
      },
    ],
    [
      [shown, opened(), closed],
      imageIs('empty'),
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
      imageIs('empty'),
      {
        learns: leftBehind,
      },
    ],
  ],
  'saves nothing for a change of the view alone': [
    [
      [...ready, { ...settled(dark), display: { ...plainDisplay, rotation: 90 } }],
      at('saved'),
      { learns: { one: 'as its slot turns it, near, frame 1, 0 marks, 1 back, 0 forth' } },
    ],
    [[...ready, { ...settled(dark), display: { ...plainDisplay, rotation: 90 }, view: 'fit' }], at('saved')],
    [
      [shown, opened(), loaded('two'), settled(dark, 'two')],
      imageIs('loading', 'waiting'),
      { learns: { two: 'dark, near, frame 1, 0 marks, 1 back, 0 forth', unsaved: ['two dark on 0'] } },
    ],
  ],
  'ends a gesture whose image is gone': [
    [
      [...ready, gesture, { type: 'images.shown', images: [stageImageOf('two')] }],
      at('saved'),
      { learns: { one: 'plain, whole, frame 1, 0 marks, 0 back, 0 forth', stage: ['two'] } },
    ],
    [[...ready, gesture, shown], { image: { ready: 'moving' }, changes: 'saved' }],
    [
      [...darkened, gesture, { type: 'images.shown', images: [stageImageOf('two')] }],
      at('waiting'),
      { learns: { one: 'plain, whole, frame 1, 0 marks, 1 back, 0 forth', stage: ['two'] } },
    ],
  ],
  'shows only frames that the image has': [
    [
      [...ready, frame(2)],
      at('saved'),
      { learns: { one: 'as its slot turns it, whole, frame 2, 0 marks, 0 back, 0 forth' } },
    ],
    [[...ready, frame(1)], at('saved'), { ignored: true }],
    [
      [...ready, gesture, frame(2)],
      { image: { ready: 'moving' }, changes: 'saved' },
      { learns: { one: 'as its slot turns it, whole, frame 2, 0 marks, 0 back, 0 forth' } },
    ],
    [[...ready, frame(3)], at('saved'), { ignored: true }],
    [[...ready, frame(0)], at('saved'), { ignored: true }],
    [[...ready, frame(1.5)], at('saved'), { ignored: true }],
    [[opened(), loaded(), frame(2)], at('saved'), { ignored: true }],
    [
      [...ready, frame(2), frame(1)],
      at('saved'),
      { learns: { one: 'as its slot turns it, whole, frame 1, 0 marks, 0 back, 0 forth' } },
    ],
  ],
});
