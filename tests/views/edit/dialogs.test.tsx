import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Gone } from '../../../src/views/app/edit-requests.ts';
import type { AppQueries } from '../../../src/views/app/queries-context.tsx';
import { DeleteRecord } from '../../../src/views/edit/delete-record.tsx';
import { NewViewset } from '../../../src/views/edit/new-viewset.tsx';
import { slotsOf } from '../../../src/views/edit/own-layout.rules.ts';
import type { DeleteRequest } from '../../../src/views/edit/record-of-request.ts';
import { nextCardIndex } from '../../../src/views/forms/template-grid.tsx';
import { idOf } from '../records.ts';
import { image, refused, series, showWith, study, template, viewset, writing } from './edit-fixture.tsx';

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

describe('deleting', () => {
  const open = async (request: DeleteRequest, archive = writing()) => {
    const onClose = vi.fn<() => void>();
    const onGone = vi.fn<(gone: Gone) => void>();
    await showWith(archive, <DeleteRecord request={request} patientId={idOf(1)} onClose={onClose} onGone={onGone} />);
    const dialog = within(await screen.findByRole('dialog'));
    return { archive, onClose, onGone, dialog };
  };

  it('shows what is deleted with a study, and offers Undo', async () => {
    const { archive, onGone, dialog } = await open({ kind: 'delete-study', study: study() });
    expect(dialog.getByText('Delete 2026-03-02 Check-up?')).toBeTruthy();
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '2 images',
      'The mount FMX 18',
    ]);
    // Enter pressed too early changes nothing.
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    expect(archive.deleteRecord).not.toHaveBeenCalled();
    await press('Delete');
    const record = { what: 'study', id: idOf(6), patientId: idOf(1) };
    await waitFor(() => expect(archive.deleteRecord).toHaveBeenCalledExactlyOnceWith(record));
    expect(onGone).toHaveBeenCalledWith({
      viewsetIds: [idOf(7)],
      seriesUids: ['2.25.6', '2.25.5'],
      imageUids: [image(1).uid, image(2).uid],
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(archive.restoreRecord).toHaveBeenCalledExactlyOnceWith(record));
    expect(await screen.findByText('2026-03-02 Check-up is restored')).toBeTruthy();
  });

  it.each([
    [
      { kind: 'delete-series', study: study(), series: series([image(1)]) },
      'series',
      idOf(5),
      'Delete Bitewing?',
      ['1 image'],
    ],
    [{ kind: 'delete-image', image: image(1) }, 'image', image(1).uid, 'Delete 16 17?', []],
    [
      { kind: 'delete-viewset', viewset: study().viewsets[0] ?? never() },
      'viewset',
      idOf(7),
      'Delete FMX 18?',
      ['2 images stay in the study'],
    ],
  ] as const)('names the record of %j', async (request, what, id, question, lines) => {
    const { archive, dialog } = await open(request);
    expect(dialog.getByText(question)).toBeTruthy();
    expect(dialog.queryAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(lines);
    await press('Delete');
    await waitFor(() => expect(archive.deleteRecord).toHaveBeenCalledWith({ what, id, patientId: idOf(1) }));
  });

  it('shows the error of a rejected deletion and keeps the record', async () => {
    const deleteRecord = vi.fn<AppQueries['deleteRecord']>(async () => {
      throw refused('no-right');
    });
    const { onGone, onClose } = await open({ kind: 'delete-image', image: image(1) }, writing({ deleteRecord }));
    await press('Delete');
    expect(await screen.findByText('You have no rights to do this')).toBeTruthy();
    expect([onGone.mock.calls, onClose.mock.calls]).toEqual([[], []]);
  });
});

describe('a new mount', () => {
  const open = async (
    disabledReasons: { template: string | null; study: string | null } = { template: null, study: null },
  ) => {
    const archive = writing();
    const onMade = vi.fn();
    await showWith(
      archive,
      <NewViewset
        patientId={idOf(1)}
        customerId={idOf(2)}
        study={study()}
        disabledReasons={disabledReasons}
        onClose={() => {}}
        onMade={onMade}
      />,
    );
    await screen.findAllByRole('radio', { name: /slots/ });
    return { archive, onMade };
  };
  const card = (name: RegExp) => screen.getByRole('radio', { name });
  const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^name/i });

  it('is created from the template selected by keyboard, with Enter, in this study', async () => {
    const { archive, onMade } = await open();
    expect(card(/FMX 18/).getAttribute('aria-checked')).toBe('true');
    expect(name().value).toBe('FMX 18');
    card(/FMX 18/).focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(card(/Bitewing 2/));
    expect(name().value).toBe('Bitewing 2');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(onMade).toHaveBeenCalledWith(viewset));
    expect(archive.createViewset).toHaveBeenCalledExactlyOnceWith({
      patientUID: idOf(1),
      currentStudyUID: '2.25.6',
      currentViewsetUID: null,
      name: 'Bitewing 2',
      templateUUID: template(2, '').uuid,
    });
  });

  it('places the images of the study on request, in the template that fits them', async () => {
    const { archive } = await open();
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Place the 2 images that are in no mount' });
    // The study has a mount, whose images somebody may have taken out.
    expect(box.checked).toBe(false);
    await userEvent.click(box);
    await userEvent.click(screen.getByText('New study'));
    expect(screen.queryByRole('checkbox', { name: /Place/ })).toBeNull();
    await userEvent.click(screen.getByText('2026-03-02 Check-up'));
    await press('Create mount');
    await waitFor(() =>
      expect(archive.createViewset).toHaveBeenCalledWith(
        expect.objectContaining({ currentStudyUID: '2.25.6', placeImages: true }),
      ),
    );
  });

  it('keeps a typed name, and goes into a new study on request', async () => {
    const { archive } = await open();
    await userEvent.clear(name());
    await userEvent.type(name(), 'Before treatment');
    await userEvent.click(card(/Panorama/));
    expect(name().value).toBe('Before treatment');
    await userEvent.click(screen.getByText('New study'));
    await press('Create mount');
    await waitFor(() =>
      expect(archive.createViewset).toHaveBeenCalledWith(
        expect.objectContaining({
          name: 'Before treatment',
          currentStudyUID: null,
          templateUUID: template(3, '').uuid,
        }),
      ),
    );
  });

  it('filters templates by name', async () => {
    await open();
    await userEvent.type(screen.getByRole('textbox', { name: 'Find a template' }), 'PANO');
    expect(screen.getAllByRole('radio', { name: /slots/ })).toEqual([card(/Panorama/)]);
    await userEvent.type(screen.getByRole('textbox', { name: 'Find a template' }), 'x');
    expect(screen.getByText('No template matches')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create mount' }).disabled).toBe(true);
  });

  it('adds and removes favourites', async () => {
    const { archive } = await open();
    await press('Make Panorama a favourite');
    await press('Remove FMX 18 from favourites');
    expect(archive.favorTemplate.mock.calls.map(([body]) => body)).toEqual([
      { uuid: template(3, '').uuid, isFavorite: true },
      { uuid: template(1, '').uuid, isFavorite: false },
    ]);
  });

  it('is laid out in rows and columns and saved as a template', async () => {
    const { archive } = await open();
    await userEvent.click(screen.getByText('Custom layout'));
    const rows = screen.getByRole('textbox', { name: 'Rows' });
    await userEvent.clear(rows);
    await userEvent.type(rows, '3');
    await userEvent.click(screen.getByText('Portrait'));
    expect(screen.getByRole('figure', { name: '3 × 2, 6 slots' }).querySelectorAll('rect')).toHaveLength(6);
    await userEvent.click(screen.getByRole('checkbox', { name: /template/ }));
    await press('Create mount');
    const viewSetItems = slotsOf({ rows: 3, columns: 2, isPortrait: true, gapPercent: 4 });
    await waitFor(() => expect(archive.createViewset).toHaveBeenCalled());
    expect(archive.createTemplate).toHaveBeenCalledWith({ customerId: idOf(2), name: 'Custom 3 × 2', viewSetItems });
    expect(archive.createViewset.mock.calls[0]?.[0]).toMatchObject({ templateUUID: template(9, '').uuid });
  });

  it('is laid out without a template; disabled options show the missing claim', async () => {
    const { archive } = await open({ template: 'Not yours to keep', study: 'Not yours to make' });
    expect(screen.getByText('New study: Not yours to make')).toBeTruthy();
    await userEvent.click(screen.getByText('Custom layout'));
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /template/ }).disabled).toBe(true);
    expect(screen.getByText('Not yours to keep')).toBeTruthy();
    await press('Create mount');
    await waitFor(() => expect(archive.createViewset).toHaveBeenCalled());
    expect(archive.createTemplate).not.toHaveBeenCalled();
    expect(archive.createViewset.mock.calls[0]?.[0]).toMatchObject({
      viewSetItems: slotsOf({ rows: 2, columns: 2, isPortrait: false, gapPercent: 4 }),
    });
  });
});

it('a custom layout has its slots row by row, with gaps between but not around them', () => {
  const slots = slotsOf({ rows: 2, columns: 3, isPortrait: false, gapPercent: 10 });
  expect(slots.map(({ xPos, yPos }) => [xPos, yPos])).toEqual([
    ...[0, 1830, 3660].map((x) => [x, 0]),
    ...[0, 1830, 3660].map((x) => [x, 1430]),
  ]);
  expect(new Set(slots.map(({ width, height }) => `${width} ${height}`))).toEqual(new Set(['1700 1300']));
  expect(slotsOf({ rows: 99, columns: Number.NaN, isPortrait: true, gapPercent: -3 })).toHaveLength(10);
});

it('arrow keys move between cards by rows and columns, and stop at the edges', () => {
  // Three per row, five in all.
  const cards = [0, 1, 2, 3, 4].map((index) => ({ top: index < 3 ? 10 : 160, left: (index % 3) * 200 }));
  const walk = (at: number, ...keys: string[]) => keys.reduce((here, key) => nextCardIndex(cards, here, key), at);
  expect([walk(1, 'ArrowDown'), walk(2, 'ArrowDown'), walk(4, 'ArrowUp')]).toEqual([4, 4, 1]);
  expect([walk(2, 'ArrowRight'), walk(3, 'ArrowLeft'), walk(0, 'ArrowUp'), walk(4, 'ArrowDown')]).toEqual([3, 2, 0, 4]);
  expect([walk(4, 'ArrowRight'), walk(0, 'ArrowLeft'), walk(3, 'Home'), walk(0, 'End')]).toEqual([4, 0, 0, 4]);
});

const never = () => {
  throw new Error('the study of the tests has no mount');
};
