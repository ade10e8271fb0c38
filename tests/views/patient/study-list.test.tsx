import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import type { EditActions } from '../../../src/views/edit-wishes.ts';
import { withCompared } from '../../../src/views/patient/compare-toggle.ts';
import { EditActionsProvider, placeWithout } from '../../../src/views/patient/edit-actions.ts';
import { ImageFacts } from '../../../src/views/patient/image-facts.tsx';
import type { Place } from '../../../src/views/patient/place.ts';
import { StudyList } from '../../../src/views/patient/study-list.tsx';
import { idOf, image, series, study } from '../edit/writing.tsx';
import { show } from '../render.tsx';

/** jsdom lays nothing out: a menu believes that its button is out of sight. */
const unlaid = { hidden: true } as const;

const nowhere: Place = { series: null, viewsetId: null, imageUid: null, compare: [] };
const [first, second] = [image(1).uid, image(2).uid];

const list = async (place: Partial<Place> = {}, barred: EditActions['barred'] = () => null) => {
  const ask = vi.fn<EditActions['ask']>();
  const { hook, history } = memoryLocation({ record: true });
  const hung = study({ series: [series([image(1, { viewsetId: idOf(7) }), image(2)])] });
  await show(
    <Router hook={hook}>
      <EditActionsProvider value={{ ask, barred }}>
        <StudyList patientId={idOf(1)} studies={[hung]} place={{ ...nowhere, ...place }} />
      </EditActionsProvider>
    </Router>,
  );
  const open = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: `More actions for ${name}` }));
    return within(await screen.findByRole('menu', unlaid));
  };
  return { ask, history, hung, open };
};

beforeEach(() => localStorage.clear());

describe('the list of studies', () => {
  it('says how full a mount is and what hangs nowhere, and marks where one is', async () => {
    await list({ viewsetId: idOf(7), imageUid: second });
    const mount = screen.getByRole('link', { name: 'Mount FMX 18 2/18' });
    expect([mount.textContent, mount.getAttribute('aria-current')]).toEqual(['FMX 18 2/18', 'true']);
    expect(screen.getByText('1 image hangs in no mount')).toBeTruthy();
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('Bitewing');
    const images = screen.getAllByRole('link', { name: 'Open 16 17' });
    expect(images.map((link) => link.getAttribute('aria-current'))).toEqual([null, 'true']);
  });

  it.each([
    ['2026-03-02 Check-up', 'Edit study', 'edit-study'],
    ['2026-03-02 Check-up', 'New mount', 'new-viewset'],
    ['FMX 18', 'Delete mount', 'delete-viewset'],
    ['Bitewing', 'Delete series', 'delete-series'],
  ])('asks from the menu of %s: %s', async (name, item, kind) => {
    const { ask, open } = await list();
    await userEvent.click((await open(name)).getByRole('menuitem', { name: item, ...unlaid }));
    await waitFor(() => expect(ask).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ kind })));
  });

  it('says why something cannot be done', async () => {
    const { ask, open } = await list({}, (kind) => (kind === 'delete-study' ? 'Not yours' : null));
    const item = (await open('2026-03-02 Check-up')).getByRole<HTMLButtonElement>('menuitem', {
      name: /Delete study/,
      ...unlaid,
    });
    expect(item.textContent).toContain('Not yours');
    expect(item.disabled).toBe(true);
    await userEvent.click(item, { pointerEventsCheck: 0 });
    expect(ask).not.toHaveBeenCalled();
  });

  it('puts an image beside the one that is open', async () => {
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
    const open = { ...nowhere, imageUid: 'a' };
    expect(withCompared(open, 'b')).toMatchObject({ imageUid: null, compare: ['a', 'b'] });
    expect(withCompared({ ...nowhere, compare: ['a', 'b', 'c'] }, 'd')?.compare).toEqual(['a', 'b', 'c', 'd']);
    expect(withCompared({ ...nowhere, compare: ['a', 'b', 'c', 'd'] }, 'e')).toBeNull();
    expect(withCompared({ ...nowhere, compare: ['a', 'b'] }, 'a')).toMatchObject({ imageUid: 'b', compare: [] });
    expect(withCompared({ ...nowhere, compare: ['a', 'b', 'c'] }, 'b')?.compare).toEqual(['a', 'c']);
    expect([withCompared(nowhere, 'a'), withCompared(open, 'a')]).toEqual([null, null]);
  });
});

describe('when something is deleted', () => {
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
  ] as [Partial<Place>, Partial<Place>][])('%j becomes %j', (before, after) => {
    expect(placeWithout({ ...nowhere, ...before }, gone)).toEqual({ ...nowhere, ...after });
  });

  it('the page stays where it stands', () => {
    const place = { ...nowhere, series: 's', viewsetId: 'w', imageUid: 'x' };
    expect(placeWithout(place, gone)).toBe(place);
  });
});

it('the facts of an image show the teeth of its slot, in the numbering that is chosen, everywhere at once', async () => {
  await show(
    <>
      <ImageFacts image={image(1)} slotTeeth={[46, 47]} />
      <ImageFacts image={image(2, { teethSource: 'user', teeth: [55] })} slotTeeth={[46]} />
    </>,
  );
  expect([screen.getByText('46 47'), screen.getByText('55')]).toHaveLength(2);
  expect(screen.getAllByText('Set by a person, not by the file')).toHaveLength(1);
  const [menu] = screen.getAllByRole('button', { name: 'Tooth numbering: FDI' });
  if (menu) await userEvent.click(menu);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Universal', ...unlaid }));
  expect([await screen.findByText('30 31'), screen.getByText('A')]).toHaveLength(2);
});
