import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import type { Calibration, Mark } from '../../../contract/displays.ts';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Change, Outcome } from '../../../src/machines/viewer/saving.rules.ts';
import { viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import { ViewerWorkspace } from '../../../src/views/workspace/viewer/viewer-workspace.tsx';
import { imagesOf } from '../../gpu/page/synthetic.ts';
import { InWorkspace } from '../in-workspace.tsx';
import { show } from '../render.tsx';
import { picture } from './real-workspace.tsx';
import { imageInfo, noHistory, noPriors, plainProps } from './workspace-fixtures.ts';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-with-real-stage.ts'));
vi.mock('../../../src/viewer/stage/renderer.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/painter.ts', () => import('./no-gpu.ts'));
vi.mock('../../../src/viewer/stage/snapshot.ts', () => import('./no-gpu.ts'));

const length: Mark = {
  id: '00000000-0000-4000-8000-0000000000cc',
  kind: 'length',
  frame: 1,
  points: [
    [10, 10],
    [310, 10],
  ],
};
const angle: Mark = {
  id: '00000000-0000-4000-8000-0000000000dd',
  kind: 'angle',
  frame: 1,
  points: [
    [10, 10],
    [50, 10],
    [50, 60],
  ],
};
const calibration: Calibration = { mmPerPixel: 0.05 };
const uid = imageInfo(1).uid;
const pictures = imagesOf({ [uid]: picture() });
const openImages = () => Promise.resolve(pictures);

/** Renders the page; the test controls the server's replies. */
const openPage = async (first: Partial<ImageInfo>, waiting: ReadonlySet<string> = new Set()) => {
  let answer: (outcomes: readonly Outcome[]) => void = () => undefined;
  let sent: readonly Change[] = [];
  const machine = viewerMachine.provide({
    actors: {
      saveChanges: fromPromise<readonly Outcome[], readonly Change[]>(({ input }) => {
        sent = input;
        return new Promise((resolve) => {
          answer = resolve;
        });
      }),
    },
  });
  const actor = createActor(machine).start();
  const page = (info: Partial<ImageInfo>, pendingMarks: ReadonlySet<string>) => (
    <InWorkspace viewer={actor} openImages={openImages}>
      <ViewerWorkspace
        {...plainProps}
        content={{ kind: 'image', shown: { image: imageInfo(1, info), item: null, viewsetId: null } }}
        activeUid={uid}
        pendingMarks={pendingMarks}
        navigation={{
          ...noHistory,
          open: () => undefined,
          step: () => undefined,
          compare: null,
          prior: noPriors,
          back: null,
        }}
        onChoose={() => undefined}
      />
    </InWorkspace>
  );
  let update: (info: Partial<ImageInfo>, pendingMarks?: ReadonlySet<string>) => void = () => undefined;
  const Page = () => {
    const [[info, pendingMarks], set] = useState([first, waiting] as const);
    update = (next, of = new Set()) => set([next, of]);
    return page(info, pendingMarks);
  };
  await show(<Page />);
  await waitFor(() => expect(document.querySelector('svg [data-mark]')).not.toBeNull());
  return {
    actor,
    receive: (info: Partial<ImageInfo>, pendingMarks?: ReadonlySet<string>) =>
      act(async () => update(info, pendingMarks)),
    answer: (outcome: { version: number } | { failure: NonNullable<unknown> }) =>
      act(async () => answer(sent.map((change) => ({ change, ...outcome })) as readonly Outcome[])),
  };
};

/** The texts of each measurement, in the panel and on the image. */
const expectTexts = async (texts: readonly string[]) => {
  const inPanel = () =>
    [...document.querySelectorAll('ul[aria-label=Marks] > li > span:not([role])')].map((one) => one.textContent);
  const onImage = () => [...document.querySelectorAll('svg [data-mark] text')].map((one) => one.textContent);
  await waitFor(() => expect([inPanel(), onImage()]).toEqual([texts, texts]));
};

beforeEach(() => localStorage.clear());

it('shows no length while an earlier change of the measurements is being saved, and the right one afterwards', async () => {
  const before = { marks: [length, angle], calibration: null, marksVersion: 1 };
  const { receive } = await openPage(before, new Set([uid]));
  await expectTexts(['…', '90.0°']);
  expect(screen.getByText(/^The calibration is not yet known/)).toBeTruthy();
  // Another reply with the same content changes nothing.
  await receive({ ...before }, new Set([uid]));
  await expectTexts(['…', '90.0°']);
  await receive({ marks: [length, angle], calibration, marksVersion: 2 });
  await expectTexts(['15.0 mm calibrated', '90.0°']);
  // An outdated reply.
  await receive(before);
  await expectTexts(['15.0 mm calibrated', '90.0°']);
});

it('shows the detector length once it is certain that there is no calibration', async () => {
  const before = { marks: [length], calibration: null, marksVersion: 1 };
  const { receive } = await openPage(before, new Set([uid]));
  await expectTexts(['…']);
  await receive(before);
  await expectTexts(['6.0 mm at detector']);
});

it("shows the user's own calibration at once", async () => {
  const { actor } = await openPage({ marks: [length], calibration: null, marksVersion: 1 }, new Set([uid]));
  await expectTexts(['…']);
  await act(async () => actor.send({ type: 'image.calibrated', imageUid: uid, calibration }));
  await expectTexts(['15.0 mm calibrated']);
});

it("shows no length after a save conflict until the other user's version is loaded", async () => {
  const before = { marks: [length], calibration: null, marksVersion: 1 };
  const { actor, receive, answer } = await openPage(before);
  await expectTexts(['6.0 mm at detector']);
  await act(async () => {
    actor.send({ type: 'marks.settled', imageUid: uid, marks: [length, angle] });
    actor.send({ type: 'page.hidden' });
  });
  await answer({ failure: { kind: 'refused', status: 409, code: 'conflict', errors: [] } });
  await expectTexts(['…']);
  // A reply from before the conflict.
  await receive({ ...before });
  await expectTexts(['…']);
  await receive({ marks: [length], calibration, marksVersion: 2 });
  await expectTexts(['15.0 mm calibrated']);
});

it('does not wait when the newer measurements arrived before the conflict', async () => {
  const { actor, receive, answer } = await openPage({ marks: [length], calibration: null, marksVersion: 1 });
  await act(async () => {
    actor.send({ type: 'marks.settled', imageUid: uid, marks: [length, angle] });
    actor.send({ type: 'page.hidden' });
  });
  await receive({ marks: [length], calibration, marksVersion: 2 });
  await answer({ failure: { kind: 'refused', status: 409, code: 'conflict', errors: [] } });
  await expectTexts(['15.0 mm calibrated']);
});
