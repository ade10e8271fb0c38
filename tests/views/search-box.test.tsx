import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import type { Patient } from '../../contract/patients.ts';
import { patientSearchMachine } from '../../src/machines/patient-search/patient-search.machine.ts';
import type { Found } from '../../src/machines/patient-search/patient-search.rules.ts';
import { SearchBox } from '../../src/views/search-box/search-box.tsx';
import { show } from './render.tsx';

const patient = (id: number, firstName: string, lastName: string): Patient => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  customerId: '00000000-0000-4000-8000-000000000000',
  mainInfo: {
    firstName,
    lastName,
    birthDate: '1985-04-23',
    sex: 'F',
    personalNumber: `19850423238${id}`,
    comments: null,
    lastStudyDate: '2026-03-02',
    protectedIdentity: false,
  },
  totalStudies: 1,
  version: 1,
});

const found: Found = {
  hits: [patient(1, 'Anna', 'Lind'), patient(2, 'Åsa', 'Lindgren')],
  similar: [],
  totalCount: 9,
  isTotalExact: true,
};

/** Uses the real search actor; records navigation and lets the test reply. */
const searching = (answer: (text: string) => Promise<Found>) => {
  const places: string[] = [];
  const questions: string[] = [];
  const search = patientSearchMachine.provide({
    actors: {
      searchPatients: fromPromise(({ input }: { input: { clinicId: string; text: string } }) => {
        questions.push(input.text);
        return answer(input.text);
      }),
    },
    delays: { debounce: 1 },
  });
  const actor = createActor(search, { input: { clinicId: 'clinic' } }).start();
  actor.on('navigation.requested', ({ path: place }) => places.push(place));
  return { actor, places, questions };
};

describe('the search box', () => {
  it('marks a patient with protected identity', async () => {
    const [anna, asa] = found.hits;
    if (!anna || !asa) throw new Error('no hits');
    const marked = { ...asa, mainInfo: { ...asa.mainInfo, protectedIdentity: true } };
    const { actor } = searching(async () => ({ ...found, hits: [anna, marked] }));
    await show(<SearchBox actor={actor} />);
    await userEvent.type(screen.getByRole('combobox'), 'lin');
    const options = await screen.findAllByRole('option');
    expect(options.map((option) => within(option).queryByRole('img', { name: 'Protected identity' }) !== null)).toEqual(
      [false, true, false],
    );
  });

  it('shows the minimum length and sends no shorter query', async () => {
    const { actor, questions } = searching(async () => found);
    await show(<SearchBox actor={actor} />);
    await userEvent.type(screen.getByRole('combobox'), 'li');
    expect(screen.getByText('2/3')).toBeTruthy();
    expect(actor.getSnapshot().value).toBe('idle');
    expect(questions).toEqual([]);
  });

  it('is focused by the slash key, which is not typed', async () => {
    const { actor } = searching(async () => found);
    await show(<SearchBox actor={actor} />);
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('combobox'));
    expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('');
  });

  it('highlights matches, and opens the hit selected by arrow keys and Enter', async () => {
    const { actor, places } = searching(async () => found);
    await show(<SearchBox actor={actor} />);
    await userEvent.type(screen.getByRole('combobox'), 'lind');
    const options = await screen.findAllByRole('option');
    expect(options).toHaveLength(3);
    expect(options[1]?.querySelector('b')?.textContent).toBe('Lind');
    expect(options[2]?.textContent).toBe('Show all 9 results');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(places).toEqual([`/patient/${found.hits[1]?.id}`]);
    expect(screen.queryAllByRole('option')).toEqual([]);
  });

  it('shows all results on Enter without a selected hit', async () => {
    const { actor, places } = searching(async () => found);
    await show(<SearchBox actor={actor} />);
    await userEvent.type(screen.getByRole('combobox'), 'lind{Enter}');
    expect(places).toEqual(['/?q=lind']);
  });

  it.each([
    ['beside few hits', { ...found, hits: [patient(1, 'Ylva', 'Lindkvist')], totalCount: 1 }, 3],
    ['without a hit', { ...found, hits: [], totalCount: 0 }, 1],
  ])('opens a patient with a similar name %s by keys', async (_, few, count) => {
    const { actor, places } = searching(async () => ({ ...few, similar: [patient(3, 'Johanna', 'Lindqvist')] }));
    await show(<SearchBox actor={actor} />);
    await userEvent.type(screen.getByRole('combobox'), 'lindkvist');
    expect(await screen.findAllByRole('option')).toHaveLength(count);
    const similar = within(screen.getByRole('group', { name: 'Similar names' })).getByRole('option');
    expect(similar.textContent).toContain('Lindqvist, Johanna');
    expect(similar.querySelector('b')).toBeNull();
    for (const _hit of few.hits) await userEvent.keyboard('{ArrowDown}');
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(similar.id);
    await userEvent.keyboard('{Enter}');
    expect(places).toEqual([`/patient/${patient(3, '', '').id}`]);
  });

  it('reports no results, and is cleared by Escape', async () => {
    const { actor } = searching(async () => ({ hits: [], similar: [], totalCount: 0, isTotalExact: true }));
    await show(<SearchBox actor={actor} />);
    await userEvent.type(screen.getByRole('combobox'), 'xyz');
    expect(await screen.findByText('No patient matches “xyz”')).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe(''));
    expect(screen.queryByText(/No patient matches/)).toBeNull();
  });

  it('reports more hits than the server counted', async () => {
    const { actor } = searching(async () => ({ ...found, totalCount: 10_000, isTotalExact: false }));
    await show(<SearchBox actor={actor} />);
    await userEvent.type(screen.getByRole('combobox'), 'lind');
    expect((await screen.findAllByRole('option')).at(-1)?.textContent).toBe('Show all 10,000+ results');
  });

  it('requires a word of two letters', async () => {
    const { actor, questions } = searching(async () => found);
    await show(<SearchBox actor={actor} />);
    await userEvent.type(screen.getByRole('combobox'), 'a b c');
    expect(screen.getByText('3/3')).toBeTruthy();
    expect(screen.getByText('At least one word must have more than one character')).toBeTruthy();
    expect(questions).toEqual([]);
  });

  it('keeps previous hits visible and disabled while a query is pending', async () => {
    const answers: ((found: Found) => void)[] = [];
    const { actor, places } = searching(() => new Promise((done) => void answers.push(done)));
    await show(<SearchBox actor={actor} />);
    const box = screen.getByRole('combobox');
    await userEvent.type(box, 'lin');
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.(found);
    await screen.findAllByRole('option');
    await userEvent.type(box, 'd');
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(screen.getAllByRole('option')).toHaveLength(3);
    await userEvent.keyboard('{ArrowDown}');
    expect(box.getAttribute('aria-activedescendant')).toBeNull();
    await userEvent.click(screen.getAllByRole('option')[0] as HTMLElement);
    expect(places).toEqual([]);
    answers[1]?.({ ...found, hits: found.hits.slice(1), totalCount: 1 });
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(places).toEqual([`/patient/${found.hits[1]?.id}`]);
  });

  it('selects the last and first hit with End and Home, and retries after a failure', async () => {
    let fails = true;
    const { actor, places } = searching(async () => {
      if (fails) throw new Error('offline');
      return found;
    });
    await show(<SearchBox actor={actor} />);
    await userEvent.type(screen.getByRole('combobox'), 'lind');
    fails = false;
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await userEvent.click(screen.getByRole('combobox'));
    await screen.findAllByRole('option');
    await userEvent.keyboard('{ArrowDown}{End}{Home}{Enter}');
    expect(places).toEqual([`/patient/${found.hits[0]?.id}`]);
  });
});
