import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { Study } from '../../../contract/studies.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import { toast } from '../../../src/views/ui/toast.ts';
import { contentOf, withCompared } from '../../../src/views/workspace/patient/content.ts';
import {
  locationWithout,
  type PatientLocation,
  parsePrior,
  patientPath,
} from '../../../src/views/workspace/patient/patient-location.ts';
import { useNavigation } from '../../../src/views/workspace/patient/use-navigation.ts';
import { InWorkspace } from '../in-workspace.tsx';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';
import { noHistoryControl } from '../viewer/workspace-fixtures.ts';
import { studyWith, uidOf } from './priors-fixture.ts';

vi.mock('../../../src/views/ui/toast.ts', () => ({ toast: vi.fn() }));
beforeEach(() => void vi.mocked(toast).mockClear());

const teeth = [17, 16, 47, 46];
const current = studyWith({ number: 0, on: '2026-03-02', teeth });
const earlier = studyWith({
  number: 1,
  on: '2025-02-01',
  teeth,
  mounted: { template: 1, slot: 2 },
});
const place: PatientLocation = {
  series: '2.25.5',
  viewsetId: null,
  imageUid: uidOf(0),
  compare: [],
  history: null,
  priorMount: null,
  prior: { priorUid: uidOf(1), currentUid: uidOf(0) },
};

describe('the location of an image beside an earlier one', () => {
  it('is the same after it was written into the URL and read', () => {
    const url = new URL(patientPath('p', place), 'http://archive');
    expect(url.searchParams.get('image')).toBe(uidOf(0));
    expect(parsePrior(url.searchParams.get('prior'))).toEqual(place.prior);
    for (const text of [null, '', ',', `${uidOf(1)},`, `,${uidOf(1)}`]) expect(parsePrior(text)).toBeNull();
  });

  it('shows the earlier image in its own mount and the current one as it was', () => {
    const content = contentOf(place, [current, earlier], null);
    expect(content).toMatchObject({
      kind: 'compare',
      images: [
        { image: { uid: uidOf(1) }, item: { itemIndex: 2, teeth }, viewsetId: idOf(3001) },
        { image: { uid: uidOf(0) }, item: null, viewsetId: null },
      ],
      prior: { currentUid: uidOf(0), priorDay: '2025-02-01', currentDay: '2026-03-02', hasLater: false },
    });
  });

  it.each([
    ['later', studyWith({ number: 1, on: '2027-02-01', teeth })],
    ['of the same day', studyWith({ number: 1, on: '2026-03-02', teeth })],
    ['without a date', studyWith({ number: 1, on: null, teeth })],
    ['of other teeth', studyWith({ number: 1, on: '2025-02-01', teeth: [26, 36] })],
    ["another patient's", studyWith({ number: 1, on: '2025-02-01', teeth }, idOf(99))],
  ])('shows the current image alone when the other one is %s', (_, other) => {
    expect(contentOf(place, [current, other], null)).toMatchObject({
      kind: 'image',
      shown: { image: { uid: uidOf(0) } },
    });
  });

  it('loses the earlier image when one of the two is deleted', () => {
    const gone = (imageUids: string[]) => ({ imageUids, seriesUids: [], viewsetIds: [] });
    expect(locationWithout(place, gone([uidOf(9)]))).toBe(place);
    expect(locationWithout(place, gone([uidOf(1)]))).toMatchObject({ imageUid: uidOf(0), prior: null });
    expect(locationWithout(place, gone([uidOf(0)]))).toMatchObject({ imageUid: null, prior: null });
  });

  it('becomes an ordinary comparison with a third image, or the image that is left', () => {
    expect(withCompared(place, uidOf(5))).toMatchObject({
      compare: [uidOf(1), uidOf(0), uidOf(5)],
      imageUid: null,
      prior: null,
    });
    expect(withCompared(place, uidOf(1))).toMatchObject({ compare: [], imageUid: uidOf(0), prior: null });
  });
});

describe('while older studies are not loaded', () => {
  const open = async (loadStudies: () => Promise<readonly Study[]>) => {
    const { hook, searchHook, history } = memoryLocation({ path: `/patient/p?image=${uidOf(0)}`, record: true });
    const Page = () => {
      const params = new URLSearchParams(searchHook());
      const navigation = useNavigation({
        location: { ...place, series: null, imageUid: params.get('image'), prior: parsePrior(params.get('prior')) },
        viewset: null,
        study: current,
        hasImage: () => true,
        studies: [current],
        loadStudies,
        history: noHistoryControl,
        onSwap: () => undefined,
      });
      return (
        <>
          <button type="button" onClick={() => navigation.prior.older(uidOf(0))}>
            Older
          </button>
          <button type="button" onClick={() => navigation.open(uidOf(7))}>
            Other
          </button>
        </>
      );
    };
    await show(
      <Router hook={hook} searchHook={searchHook}>
        <InWorkspace patientId="p">
          <Page />
        </InWorkspace>
      </Router>,
    );
    return {
      press: (name: string) => userEvent.click(screen.getByRole('button', { name })),
      now: () => history.at(-1)?.split('?')[1],
    };
  };

  it('finds the earlier image among them', async () => {
    const { press, now } = await open(async () => [current, earlier]);
    await press('Older');
    await waitFor(() => expect(now()).toBe(`image=${uidOf(0)}&prior=${uidOf(1)},${uidOf(0)}`));
  });

  it('stays where the user went meanwhile', async () => {
    const loading = Promise.withResolvers<readonly Study[]>();
    const { press, now } = await open(() => loading.promise);
    await press('Older');
    await press('Other');
    await act(async () => loading.resolve([current, earlier]));
    expect(now()).toBe(`image=${uidOf(7)}`);
    expect(toast).not.toHaveBeenCalled();
  });

  it('says why they cannot be loaded', async () => {
    const { press, now } = await open(() => Promise.reject(new ServiceError({ kind: 'offline' })));
    await press('Older');
    await waitFor(() => expect(toast).toHaveBeenCalledWith(expect.objectContaining({ tone: 'bad' })));
    expect(now()).toBe(`image=${uidOf(0)}`);
  });
});
