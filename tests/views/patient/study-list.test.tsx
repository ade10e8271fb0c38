import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { StudyViewer } from '../../../contract/study-viewers.ts';
import type { EditActions } from '../../../src/views/app/edit-requests.ts';
import { withCompared } from '../../../src/views/workspace/patient/content.ts';
import { ImageFacts } from '../../../src/views/workspace/patient/image-facts.tsx';
import { locationWithout, type PatientLocation } from '../../../src/views/workspace/patient/patient-location.ts';
import { StudyList } from '../../../src/views/workspace/patient/study-list.tsx';
import { image, series, study } from '../edit/edit-fixture.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';
import { signedInAs } from '../signed-in-session.ts';
import { noLocation } from './no-location.ts';

/** jsdom has no layout, so a menu considers its button hidden. */
const unlaid = { hidden: true } as const;

const [first, second] = [image(1).uid, image(2).uid];

const list = async (
  place: Partial<PatientLocation> = {},
  disabledReason: EditActions['disabledReason'] = () => null,
  viewers: readonly StudyViewer[] = [],
) => {
  const session = await signedInAs('Doctor', { viewers: [...viewers] });
  const request = vi.fn<EditActions['request']>();
  const { hook, history } = memoryLocation({ record: true });
  const mounted = study({ series: [series([image(1, { viewsetId: idOf(7) }), image(2)])] });
  await show(
    <Router hook={hook}>
      <InWorkspace session={session} edit={{ request, disabledReason }}>
        <StudyList studies={[mounted]} location={{ ...noLocation, ...place }} />
      </InWorkspace>
    </Router>,
  );
  const open = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: `More actions for ${name}` }));
    return within(await screen.findByRole('menu', unlaid));
  };
  return { request, history, mounted, open };
};

beforeEach(() => localStorage.clear());

describe('images that are not acceptable', () => {
  const rejected = { version: 1, grade: 'N', reason: 'movement' } as const;
  const links = () => screen.getAllByRole('link', { name: /^Open 16 17/ }).length;
  const graded = async (place: Partial<PatientLocation> = {}) => {
    const images = [image(1), image(2, { grade: rejected }), image(3, { grade: rejected })];
    const { hook } = memoryLocation();
    await show(
      <Router hook={hook}>
        <InWorkspace>
          <StudyList studies={[study({ series: [series(images)] })]} location={{ ...noLocation, ...place }} />
        </InWorkspace>
      </Router>,
    );
  };

  it('are folded away with their number, and one click shows them', async () => {
    await graded();
    expect(links()).toBe(1);
    const fold = screen.getByRole('button', { name: '2 not acceptable' });
    await userEvent.click(fold);
    expect([links(), fold.getAttribute('aria-expanded')]).toEqual([3, 'true']);
    await userEvent.click(fold);
    expect(links()).toBe(1);
  });

  it('are listed while they are shown on the stage', async () => {
    await graded({ imageUid: image(3).uid, compare: [image(2).uid] });
    expect(links()).toBe(3);
  });
});

describe('the menu of a study', () => {
  it('opens the study in the other viewers of the clinic, in a tab without access to this one', async () => {
    const viewers = [
      { name: 'OHIF', address: 'https://viewer.example/viewer?StudyInstanceUIDs={study}' },
      { name: 'Weasis', address: 'weasis://%24dicom%3Ars+-r+%22studyUID%3D{study}%22' },
    ];
    const { open, mounted } = await list({}, undefined, viewers);
    const menu = await open('2026-03-02 Check-up');
    const linkOf = (name: string) => menu.getByRole<HTMLAnchorElement>('menuitem', { name, ...unlaid });
    expect(linkOf('Open in OHIF').getAttribute('href')).toBe(
      `https://viewer.example/viewer?StudyInstanceUIDs=${mounted.uid}`,
    );
    expect(linkOf('Open in OHIF').rel).toBe('noopener noreferrer');
    expect(linkOf('Open in Weasis').getAttribute('href')).toBe(
      `weasis://%24dicom%3Ars+-r+%22studyUID%3D${mounted.uid}%22`,
    );
  });

  it('names none when the clinic has none', async () => {
    const { open } = await list();
    const menu = await open('2026-03-02 Check-up');
    expect(menu.queryByRole('menuitem', { name: /^Open in/, ...unlaid })).toBeNull();
  });
});

describe('the list of studies', () => {
  it('shows how full a mount is and how many images are unmounted, and marks the current location', async () => {
    await list({ viewsetId: idOf(7), imageUid: second });
    const mount = screen.getByRole('link', { name: 'Mount FMX 18 2/18' });
    expect([mount.textContent, mount.getAttribute('aria-current')]).toEqual(['FMX 18 2/18', 'true']);
    expect(screen.getByText('1 image is not mounted')).toBeTruthy();
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('Bitewing');
    const images = screen.getAllByRole('link', { name: 'Open 16 17' });
    expect(images.map((link) => link.getAttribute('aria-current'))).toEqual([null, 'true']);
  });

  it.each([
    ['2026-03-02 Check-up', 'Edit study', 'edit-study'],
    ['2026-03-02 Check-up', 'New mount', 'new-viewset'],
    ['FMX 18', 'Images for a recipient …', 'download-viewset'],
    ['FMX 18', 'Delete mount', 'delete-viewset'],
    ['Bitewing', 'Delete series', 'delete-series'],
  ])('sends the request from the menu of %s: %s', async (name, item, kind) => {
    const { request, open } = await list();
    await userEvent.click((await open(name)).getByRole('menuitem', { name: item, ...unlaid }));
    await waitFor(() => expect(request).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind })));
  });

  it('shows why an action is disabled', async () => {
    const { request, open } = await list({}, (kind) => (kind === 'delete-study' ? 'Not yours' : null));
    const item = (await open('2026-03-02 Check-up')).getByRole<HTMLButtonElement>('menuitem', {
      name: /Delete study/,
      ...unlaid,
    });
    expect(item.textContent).toContain('Not yours');
    expect(item.disabled).toBe(true);
    await userEvent.click(item, { pointerEventsCheck: 0 });
    expect(request).not.toHaveBeenCalled();
  });

  it('names the number that a compared image shows', async () => {
    await list({ prior: { priorUid: second, currentUid: first } });
    const earlier = screen.getByRole('link', { name: 'Open 16 17, number 1 in the comparison' });
    expect(earlier.textContent).toBe('1');
    expect(screen.getByRole('link', { name: 'Open 16 17, number 2 in the comparison' }).textContent).toBe('2');
  });

  it('adds an image to a comparison with the open one', async () => {
    const { history } = await list({ series: '2.25.5', imageUid: first });
    const link = screen.getAllByRole('link', { name: 'Open 16 17' })[1];
    if (link) await userEvent.hover(link);
    await userEvent.click(screen.getByRole('button', { name: 'More actions for 16 17' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Add to the comparison', ...unlaid }));
    expect(history.at(-1)).toContain(`compare=${first},${second}`);
  });
});

describe('a comparison', () => {
  it('grows from the open image to four, and shrinks to one', () => {
    const open = { ...noLocation, imageUid: 'a' };
    expect(withCompared(open, 'b')).toMatchObject({ imageUid: null, compare: ['a', 'b'] });
    expect(withCompared({ ...noLocation, compare: ['a', 'b', 'c'] }, 'd')?.compare).toEqual(['a', 'b', 'c', 'd']);
    expect(withCompared({ ...noLocation, compare: ['a', 'b', 'c', 'd'] }, 'e')).toBeNull();
    expect(withCompared({ ...noLocation, compare: ['a', 'b'] }, 'a')).toMatchObject({ imageUid: 'b', compare: [] });
    expect(withCompared({ ...noLocation, compare: ['a', 'b', 'c'] }, 'b')?.compare).toEqual(['a', 'c']);
    expect([withCompared(noLocation, 'a'), withCompared(open, 'a')]).toEqual([null, null]);
  });
});

describe('after a deletion', () => {
  const gone = { viewsetIds: ['v'], seriesUids: ['s'], imageUids: ['i', 'j'] };
  it.each([
    [{ series: 's', viewsetId: 'v', imageUid: 'x' }, {}],
    [
      { series: 't', viewsetId: 'w', imageUid: 'i' },
      { series: 't', viewsetId: 'w' },
    ],
    [{ series: 's', imageUid: 'i' }, {}],
    [{ series: 's' }, {}],
    [{ series: 't', compare: ['i', 'x', 'y'] }, { compare: ['x', 'y'] }],
    [{ series: 't', compare: ['i', 'x'] }, {}],
  ] as [Partial<PatientLocation>, Partial<PatientLocation>][])('%j becomes %j', (before, after) => {
    expect(locationWithout({ ...noLocation, ...before }, gone)).toEqual({ ...noLocation, ...after });
  });

  it('keeps an unaffected location', () => {
    const place = { ...noLocation, series: 's', viewsetId: 'w', imageUid: 'x' };
    expect(locationWithout(place, gone)).toBe(place);
  });
});

it("shows the teeth of the image's slot, in the chosen notation, everywhere at once", async () => {
  await show(
    <InWorkspace>
      <ImageFacts image={image(1)} slotTeeth={[46, 47]} />
      <ImageFacts image={image(2, { teethSource: 'user', teeth: [55] })} slotTeeth={[46]} />
    </InWorkspace>,
  );
  expect([screen.getByText('46 47'), screen.getByText('55')]).toHaveLength(2);
  expect(screen.getAllByText('Set by a user, not by the file')).toHaveLength(1);
  const [menu] = screen.getAllByRole('button', { name: 'Tooth numbering: FDI' });
  if (menu) await userEvent.click(menu);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Universal', ...unlaid }));
  expect([await screen.findByText('30 31'), screen.getByText('A')]).toHaveLength(2);
});
