import { act, fireEvent, screen } from '@testing-library/react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { Study } from '../../../contract/studies.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import type { ShownContent } from '../../../src/views/app/shown-content.ts';
import { contentOf } from '../../../src/views/workspace/patient/content.ts';
import { parseCompared, parsePrior } from '../../../src/views/workspace/patient/patient-location.ts';
import { usePriorRight } from '../../../src/views/workspace/patient/prior-side.ts';
import { useNavigation } from '../../../src/views/workspace/patient/use-navigation.ts';
import { MountBar, PriorBar } from '../../../src/views/workspace/viewer/prior-bar.tsx';
import { runViewerCommand, type ViewerCommand } from '../../../src/views/workspace/viewer/viewer-commands.ts';
import { useViewerKeys } from '../../../src/views/workspace/viewer/viewer-keys.ts';
import { ViewerToolbar } from '../../../src/views/workspace/viewer/viewer-toolbar.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { show } from '../render.tsx';
import { signedInAs } from '../signed-in-session.ts';
import { noHistoryControl, toolState } from '../viewer/workspace-fixtures.ts';

interface Records {
  readonly studies: readonly Study[];
  /** Those that can be opened. */
  readonly viewsets: readonly Viewset[];
  /** The image that B shows an earlier one of. */
  readonly activeUid: string;
}

const shownIn = (content: ShownContent | null): string | undefined => {
  if (content?.kind === 'mounts') return content.viewsets.map(({ name }) => name).join(' | ');
  return content?.kind === 'compare' ? content.images.map(({ image }) => image.number).join(' | ') : content?.kind;
};

type Targets = Parameters<typeof runViewerCommand>[1];

/** The workspace without its stage: location, content, keys, toolbar and bars. */
const LocatedPage = ({ path, search, studies, viewsets, activeUid }: Records & { path: string; search: string }) => {
  const params = new URLSearchParams(search);
  const [, , , series = null, viewsetId = null] = path.split('/');
  const [isPriorRight, setPriorRight] = usePriorRight();
  const location = {
    series,
    viewsetId,
    imageUid: params.get('image'),
    compare: parseCompared(params.get('compare')),
    prior: parsePrior(params.get('prior')),
    priorMount: params.get('prior-mount'),
    history: null,
  };
  const withId = (id: string | null) => viewsets.find(({ viewSetUuid }) => viewSetUuid === id) ?? null;
  const viewset = withId(viewsetId);
  const content = contentOf(location, studies, viewset, isPriorRight, withId(location.priorMount));
  const navigation = useNavigation({
    location,
    viewset,
    study: studies[0] ?? null,
    hasImage: () => true,
    studies,
    loadStudies: null,
    history: noHistoryControl,
    onSwap: () => setPriorRight(!isPriorRight),
  });
  const isCompare = content?.kind === 'compare';
  const prior = isCompare ? content.prior : null;
  const mounts = content?.kind === 'mounts' ? content : null;
  const openMounts = mounts ? navigation.back : content?.kind === 'mount' ? navigation.prior.mounts : null;
  const run = (command: ViewerCommand) =>
    runViewerCommand(command, {
      ...({} as Pick<Targets, 'actor' | 'cine'>),
      stage: null,
      options: { focusMode: false } as Targets['options'],
      isMultiFrame: false,
      canBlink: false,
      openable: null,
      placements: null,
      navigation,
      compare: isCompare ? navigation.back : null,
      activeUid: null,
      grade: null,
      prior: () => navigation.prior.older(prior?.currentUid ?? activeUid),
      note: null,
      priorMounts: openMounts,
      hasPictures: true,
      toggleSecondWindow: () => undefined,
      isPriorShown: prior !== null || mounts !== null,
      resetToPresentationState: () => false,
    });
  useViewerKeys(run);
  return (
    <>
      <ViewerToolbar
        state={toolState({
          comparing: isCompare,
          canGoBack: navigation.back !== null,
          comparingMounts: openMounts && mounts !== null,
        })}
        bar={null}
        onCommand={run}
        marksMenu={false}
        onMarksMenu={() => undefined}
      />
      {prior && <PriorBar prior={prior} onCommand={run} />}
      {mounts && <MountBar prior={mounts.prior} onCommand={run} />}
      {mounts?.prior.pairs.slice(0, 1).map((pair) => (
        <button key={pair.currentUid} type="button" onClick={() => navigation.openPair(pair)}>
          First pair
        </button>
      ))}
      <output data-testid="images">{isCompare ? content.images.map(({ image }) => image.uid).join(' ') : ''}</output>
      <output data-testid="shown">{shownIn(content)}</output>
    </>
  );
};

const doctor = signedInAs('Doctor');

/** Opens the page of a patient at a path; its location is a memory. */
export const openLocatedPage = async (path: string, records: Records, user = doctor) => {
  const session = await user;
  const { hook, searchHook, history } = memoryLocation({ path, record: true });
  const Located = () => <LocatedPage path={hook()[0]} search={searchHook()} {...records} />;
  await show(
    <Router hook={hook} searchHook={searchHook}>
      <InWorkspace patientId="p" session={session}>
        <Located />
      </InWorkspace>
    </Router>,
  );
  return {
    now: () => history.at(-1) ?? '',
    visited: () => history,
    images: () => screen.getByTestId('images').textContent,
    /** Names of mounts or numbers of images side by side, else the kind of the content. */
    shown: () => screen.getByTestId('shown').textContent,
  };
};

const events = {
  'Shift+C': { key: 'C', shiftKey: true },
  B: { key: 'b' },
  'Shift+B': { key: 'B', shiftKey: true },
  S: { key: 's' },
  C: { key: 'c' },
  Escape: { key: 'Escape' },
  ',': { key: ',' },
  '.': { key: '.' },
} as const;
export type Key = keyof typeof events;

export const press = (key: Key) => act(async () => void fireEvent.keyDown(document.body, events[key]));

/** Clicks the button with this label, where there is one; by attributes, as a query by role is too slow for many pages. */
export const clickNamed = (name: string) =>
  act(async () => {
    const button = document.querySelector(`button[aria-label="${name}"]`);
    if (button) fireEvent.click(button);
  });
