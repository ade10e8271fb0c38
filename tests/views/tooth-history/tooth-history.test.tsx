import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { ImageInfo } from '../../../contract/images.ts';
import { parseCompared, parsePrior } from '../../../src/views/workspace/patient/patient-location.ts';
import { useNavigation } from '../../../src/views/workspace/patient/use-navigation.ts';
import { ChooseTooth } from '../../../src/views/workspace/tooth-history/choose-tooth.tsx';
import { parseHistory } from '../../../src/views/workspace/tooth-history/history-url.ts';
import { ToothHistory } from '../../../src/views/workspace/tooth-history/tooth-history.tsx';
import { useToothHistory } from '../../../src/views/workspace/tooth-history/use-tooth-history.ts';
import { historyKeys } from '../../../src/views/workspace/viewer/shortcuts.ts';
import { runViewerCommand, type ViewerCommand } from '../../../src/views/workspace/viewer/viewer-commands.ts';
import { useViewerKeys } from '../../../src/views/workspace/viewer/viewer-keys.ts';
import { series, study } from '../edit/edit-fixture.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { anImage, aSlot } from '../records.ts';
import { show } from '../render.tsx';

vi.mock('../../../src/viewer/index.ts', () => import('../viewer/viewer-without-gpu.ts'));

const taken = (uid: string, imageAcquiredDate: string | null, teeth: number[], changes: Partial<ImageInfo> = {}) =>
  anImage(uid, { imageAcquiredDate, teeth, ...changes });

const images = [
  taken('new', '2026-03-02T10:00:00', [36, 37]),
  taken('old', '2019-05-06', [36]),
  taken('child', '2012-01-01', [75]),
  taken('middle', '2023-01-01', []),
  taken('undated', null, [36]),
  taken('photo', '2026-03-02', [], { source: 'picture', seriesModalityValue: 'XC' }),
  taken('pan', '2020-02-02', [], { seriesModalityValue: 'PX' }),
];
const { activeImage: _, ...slot } = aSlot(0, { teeth: [35, 36] });
const mount = { viewSetUuid: 'mount', name: 'FMX', templateUUID: null, filledSlots: 1, slots: 18 };
const studies = [
  study({ series: [series(images)], viewsets: [{ ...mount, mounted: [{ ...slot, imageUid: 'middle' }] }] }),
];

/** The patient page as far as the history goes: its address is its state, and its keys are those of the viewer. */
const Page = ({ search, loadedStudies = null }: { search: string; loadedStudies?: number | null }) => {
  const params = new URLSearchParams(search);
  const location = {
    series: null,
    viewsetId: null,
    imageUid: params.get('image'),
    compare: parseCompared(params.get('compare')),
    prior: parsePrior(params.get('prior')),
    priorMount: null,
    history: parseHistory(params),
  };
  const history = useToothHistory(location, studies);
  const navigation = useNavigation({
    location,
    viewset: null,
    study: null,
    hasImage: () => true,
    studies,
    loadStudies: null,
    onSwap: () => undefined,
    history,
  });
  const activeUid = location.imageUid ?? location.compare[0] ?? null;
  const act = (command: ViewerCommand) =>
    command.type === 'tooth-history' &&
    runViewerCommand(command, { navigation, activeUid } as Parameters<typeof runViewerCommand>[1]);
  useViewerKeys(act);
  return (
    <>
      <ChooseTooth control={history} loadedStudies={loadedStudies} />
      {history.view && (
        <ToothHistory control={history} view={history.view} location={location} loadedStudies={loadedStudies} />
      )}
    </>
  );
};

const open = async (query: string, loadedStudies: number | null = null) => {
  const { hook, searchHook, history } = memoryLocation({ path: `/patient/p${query && `?${query}`}`, record: true });
  const Located = () => <Page search={searchHook()} loadedStudies={loadedStudies} />;
  await show(
    <Router hook={hook} searchHook={searchHook}>
      <InWorkspace patientId="p">
        <Located />
      </InWorkspace>
    </Router>,
  );
  return { now: () => history.at(-1)?.split('?')[1] ?? '', entries: () => history.length };
};

const press = (key: string, target: Element = document.activeElement ?? document.body) =>
  act(async () => void fireEvent.keyDown(target, { key }));
/** The images of the strip; the choice of a span has options too. */
const all = () => [...document.querySelectorAll<HTMLElement>('[role=listbox] [role=option]')];
const options = () => all().map((one) => one.dataset.uid);
const focused = () => (document.activeElement instanceof HTMLElement ? document.activeElement.dataset.uid : null);
const chart = () => screen.getByRole('button', { name: 'Tooth history' });
const option = (uid: string) => {
  const found = all().find((one) => one.dataset.uid === uid);
  if (!found) throw new Error(`no ${uid}`);
  return found;
};
/** A tooth of the open chart. jsdom has no layout, so the chart counts as hidden. */
const tooth = (name: string) => screen.findByRole('button', { name, hidden: true });
/** The texts of an image, the last one for screen readers only. */
const textsOf = (one: HTMLElement) => [...one.querySelectorAll('p')].map(({ textContent }) => textContent);
const marked = () =>
  all()
    .filter((one) => one.ariaSelected === 'true')
    .map((one) => one.dataset.uid);

beforeEach(() => localStorage.clear());

/** What opening the history leads to, whatever opened it. */
const outcome = (now: string) => ({
  history: parseHistory(new URLSearchParams(now)),
  options: options(),
  at: focused(),
});

describe('a tooth chosen in the chart and the key H on an image of the tooth', () => {
  const byClick = async () => {
    const { now } = await open('image=old');
    await userEvent.click(chart());
    await userEvent.click(await tooth('Tooth 36, 4 images'));
    await screen.findByRole('listbox', { name: 'Tooth 36' });
    await waitFor(() => expect(focused()).toBe('old'));
    return outcome(now());
  };

  it('show the same, and the focus is on the open image', async () => {
    const clicked = await byClick();
    cleanup();
    const { now } = await open('image=old');
    await press('h', document.body);
    expect(outcome(now())).toEqual(clicked);
    expect(clicked.options).toEqual(['old', 'middle', 'new', 'undated', 'pan', 'photo']);
  });
});

describe('the key H', () => {
  it('closes the history of a tooth of the image, and shows that of an image with other teeth', async () => {
    const { now } = await open('image=child&history=36');
    await press('h', document.body);
    expect(now()).toBe('image=child&history=35');
    await press('h', document.body);
    expect(now()).toBe('image=child');
  });

  it('shows all teeth for an image without teeth, and without an image', async () => {
    const { now } = await open('image=photo');
    await press('h', document.body);
    expect(now()).toBe('image=photo&history=all');
    expect(screen.getByRole('heading', { name: 'All teeth' })).toBeTruthy();
    await press('h', document.body);
    expect(now()).toBe('image=photo');
  });

  it('offers the other teeth of the image', async () => {
    const { now } = await open('image=new');
    await press('h', document.body);
    const teeth = within(screen.getByRole('group', { name: 'Teeth of the open image' }));
    expect(teeth.getAllByRole('button').map((one) => [one.textContent?.trim(), one.ariaPressed])).toEqual([
      ['36', 'true'],
      ['37', 'false'],
    ]);
    await userEvent.click(teeth.getByRole('button', { name: '37' }));
    expect(now()).toBe('image=new&history=37');
    expect(options()).toEqual(['new', 'pan', 'photo']);
  });
});

describe('the chart', () => {
  it('dims teeth without images and says so; deciduous teeth are there when one has images', async () => {
    await open('');
    await userEvent.click(chart());
    const none = await tooth('Tooth 11, no images');
    expect([none.dataset.dimmed, none.title]).toEqual(['true', 'Tooth 11, no images']);
    expect((await tooth('Tooth 75, 1 image')).dataset.dimmed).toBeUndefined();
    // 35 has the image of its slot and that of the deciduous tooth.
    expect(await tooth('Tooth 35, 2 images')).toBeTruthy();
    expect(screen.getByText('Dimmed teeth have no images.')).toBeTruthy();
  });

  it('opens a deciduous tooth at the place of its successor, marked', async () => {
    const { now } = await open('');
    await userEvent.click(chart());
    await userEvent.click(await tooth('Tooth 75, 1 image'));
    expect(now()).toBe('history=35');
    expect(textsOf(option('child'))).toEqual(['2012-01-01', 'Periapical', '75', 'Deciduous 75', '']);
    expect(options().slice(0, 2)).toEqual(['child', 'middle']);
  });

  it('says that a tooth has no images, and still shows those without teeth', async () => {
    await open('history=11');
    expect(screen.getByText('No images: Tooth 11.')).toBeTruthy();
    expect(options()).toEqual(['pan', 'photo']);
  });

  it('says when not all studies are included', async () => {
    await open('history=36', 500);
    expect(screen.getByText('Only the newest 500 studies are included.')).toBeTruthy();
  });
});

describe('the strip', () => {
  it('shows date, kind and teeth of each image, and apart with their number those without a date or teeth', async () => {
    await open('history=36');
    expect(all().map(textsOf)).toEqual([
      ['2019-05-06', 'Periapical', '36', ''],
      ['2023-01-01', 'Periapical', '35 36', ''],
      ['2026-03-02', 'Periapical', '36 37', '10:00'],
      ['No date', 'Periapical', '36', ''],
      ['2020-02-02', 'Panoramic', 'no teeth specified', ''],
      ['No date', 'Photograph', 'no teeth specified', ''],
    ]);
    const groups = screen.getAllByRole('group').filter((one) => one.closest('[role=listbox]'));
    expect(groups.map((one) => one.querySelector(':scope > p')?.textContent ?? null)).toEqual([
      null,
      'No date 1',
      'Without teeth 2',
    ]);
  });

  it('has a key for each command of the list of keys', async () => {
    const does: Record<(typeof historyKeys)[number][1], (page: Awaited<ReturnType<typeof open>>) => Promise<void>> = {
      keyStep: async () => {
        await press('ArrowLeft');
        expect(focused()).toBe('middle');
        await press('ArrowRight');
        expect(focused()).toBe('new');
      },
      keyEnds: async () => {
        await press('Home');
        await press('ArrowLeft');
        expect(focused()).toBe('old');
        await press('End');
        await press('ArrowRight');
        expect(focused()).toBe('photo');
      },
      keyOpen: async ({ now }) => {
        await press('Enter');
        expect([now(), focused()]).toEqual(['image=photo&history=36', 'photo']);
        expect(option('photo').getAttribute('aria-current')).toBe('true');
      },
      keyMark: async () => {
        await press(' ');
        await press('Home');
        await press(' ');
        expect(marked()).toEqual(['old', 'photo']);
      },
      keyCompare: async ({ now }) => {
        await press('c');
        expect(now()).toBe('compare=old,photo&history=36');
      },
      keyTooth: async ({ now }) => {
        await press('3');
        await press('7');
        expect(now()).toBe('compare=old,photo&history=37');
        await waitFor(() => expect(focused()).toBe('photo'));
        await press('9');
        await press('9');
        expect(now()).toBe('compare=old,photo&history=37');
      },
      keyClose: async ({ now }) => {
        await press('Escape');
        expect(now()).toBe('compare=old,photo');
        expect(document.activeElement).toBe(chart());
      },
    };
    const page = await open('');
    await userEvent.click(chart());
    await userEvent.click(await tooth('Tooth 36, 4 images'));
    await waitFor(() => expect(focused()).toBe('new'));
    for (const [, text] of historyKeys) await does[text](page);
  });

  it('opens by click, marks by the circle, and compares by the button, the older left', async () => {
    const { now } = await open('history=36');
    expect(screen.getByRole('button', { name: 'Compare' }).getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(option('middle'));
    expect(now()).toBe('image=middle&history=36');
    for (const uid of ['new', 'old']) {
      const circle = option(uid).querySelector('[data-check]');
      if (circle) await userEvent.click(circle);
    }
    expect(marked()).toEqual(['old', 'new']);
    await userEvent.click(screen.getByRole('button', { name: 'Compare 2' }));
    expect(now()).toBe('compare=old,new&history=36');
  });

  it('compares an unmarked image with the one before it, and says why an image alone cannot be compared', async () => {
    const { now } = await open('history=36');
    option('new').focus();
    await press('c');
    expect(now()).toBe('compare=middle,new&history=36');
    await press('End');
    await press('c');
    expect(now()).toBe('compare=middle,new&history=36');
    expect(screen.getAllByText(/^Mark two images/).length).toBeGreaterThan(0);
  });

  it('widens to the sextant, the jaw and all teeth, adds panoramics and hides kinds, without a history entry', async () => {
    const { now, entries } = await open('history=36');
    const before = entries();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Lower left sextant');
    expect([now(), options()[0]]).toEqual(['history=36&span=sextant', 'child']);
    expect(screen.getByRole('heading', { name: 'Lower left sextant' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Show panoramics 1' }));
    expect(options()).toEqual(['child', 'old', 'pan', 'middle', 'new', 'undated', 'photo']);
    await userEvent.click(screen.getByRole('button', { name: 'Panoramic 1' }));
    expect([now(), options()]).toEqual(['history=36&span=sextant&kinds=panoramic&panoramics=1', ['pan']]);
    await userEvent.click(screen.getByRole('button', { name: 'Panoramic 1' }));
    expect(options()).toHaveLength(7);
    expect(entries()).toBe(before);
  });
});
