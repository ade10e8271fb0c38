import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { refused } from '../edit/edit-fixture.tsx';
import {
  aFile,
  asa,
  button,
  clinicId,
  compared,
  erik,
  namesErik,
  ofErik,
  press,
  readings,
  showStudies,
} from './decide-fixture.tsx';

describe('the patient of a study', () => {
  it('shows the reason for each suggestion, and a match when the server confirms it', async () => {
    const { onDecide } = await showStudies({
      studies: [
        ofErik(
          {},
          {
            candidates: [
              { patient: erik, match: 'same' },
              { patient: asa, match: 'possible' },
            ],
          },
        ),
      ],
      answer: compared,
    });
    expect(screen.getByText('Choose the patient')).toBeTruthy();
    const candidates = within(screen.getByRole('list', { name: 'Suggested patients' }));
    const [first] = candidates.getAllByRole('button');
    expect(first?.textContent).toBe('Berg, Erik197001019805 · 1970-01-01Same personal numberSame nameSame birth date');
    await userEvent.click(candidates.getByRole('button', { name: /^Berg, Erik/ }));
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { patientId: erik.id, mismatchConfirmed: false });
    expect(screen.getByText('Same patient')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(button('Choose another patient')));
  });

  it('shows no match before the server has compared', async () => {
    const { settle } = await showStudies({
      studies: [ofErik({}, { candidates: [{ patient: erik, match: 'same' }] })],
    });
    await press(/^Berg, Erik/);
    expect(screen.queryByText('Same patient')).toBeNull();
    expect(screen.getByText('Comparing the files with the patient')).toBeTruthy();
    expect(screen.getByText('No patient chosen')).toBeTruthy();
    act(() => settle('refused'));
    expect(screen.getByText(/The change was undone/)).toBeTruthy();
    expect(screen.getByText('Choose the patient')).toBeTruthy();
  });

  it('clears the match when another patient is chosen', async () => {
    const { settle } = await showStudies({
      studies: [ofErik({ patientId: erik.id }, { candidates: [{ patient: asa, match: 'possible' }] })],
    });
    expect(screen.getByText('Same patient')).toBeTruthy();
    await press('Choose another patient');
    await press(/^Lindström, Åsa/);
    expect(screen.queryByText('Same patient')).toBeNull();
    expect(screen.getByText('No patient chosen')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /although the files contain/ })).toBeNull();
    act(() => settle('refused'));
    expect(screen.getByText('Same patient')).toBeTruthy();
  });

  it('requires a confirmation naming both patients on a mismatch, which another choice withdraws', async () => {
    const { onDecide } = await showStudies({ studies: [ofErik({ patientId: asa.id })], answer: compared });
    expect(screen.getByText('Erik Berg')).toBeTruthy();
    expect(screen.getByText('Åsa Lindström')).toBeTruthy();
    await press('Import to Åsa Lindström although the files contain Erik Berg');
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { patientId: asa.id, mismatchConfirmed: true });
    expect(screen.getByText('Confirmed: import to Åsa Lindström although the files contain Erik Berg')).toBeTruthy();
    await press('Choose another patient');
    await userEvent.type(screen.getByRole('textbox', { name: 'Search for a patient of the clinic' }), 'Berg');
    await userEvent.click(await screen.findByRole('button', { name: /^Berg, Erik/ }));
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { patientId: erik.id, mismatchConfirmed: false });
  });

  it('can be changed after the confirmation', async () => {
    const { onDecide } = await showStudies({
      studies: [ofErik({ patientId: asa.id, mismatchConfirmed: true })],
      answer: compared,
    });
    await press('Withdraw confirmation');
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { mismatchConfirmed: false });
    expect(button(/although the files contain/)).toBeTruthy();
  });

  it('lists all identities in the files of one study, with counts', async () => {
    const withPatient = (named: typeof namesErik) => ({ patient: { ...named, match: 'differs' as const } });
    await showStudies({
      studies: [ofErik({ patientId: asa.id }, { namesSeveral: true })],
      files: [
        aFile(1, withPatient(namesErik)),
        aFile(2, withPatient(namesErik)),
        aFile(3, withPatient({ ...namesErik, name: 'Nilsson^Karl' })),
      ],
    });
    expect(screen.getByText('Erik Berg (2 files)')).toBeTruthy();
    expect(screen.getByText('Karl Nilsson (1 file)')).toBeTruthy();
    expect(screen.getByText('The files of this study contain 2 different patients')).toBeTruthy();
    expect(button('Import to Åsa Lindström although the files contain Erik Berg, Karl Nilsson')).toBeTruthy();
  });

  it('searches the server from the third character on', async () => {
    const queries = readings();
    await showStudies({ studies: [ofErik()], queries });
    const box = screen.getByRole('textbox', { name: 'Search for a patient of the clinic' });
    await userEvent.type(box, 'Li');
    expect(screen.queryByRole('list', { name: /hits|result/i })).toBeNull();
    await userEvent.type(box, 'nd');
    await screen.findByRole('button', { name: /^Lindström, Åsa/ });
    const texts = queries.patients.mock.calls.map(([{ q }]) => q);
    expect(texts).toContain('Lind');
    expect(texts.filter((q) => q !== '' && q !== 'Lind')).toEqual([]);
  });
});

describe('a new patient', () => {
  it('is prefilled from the files, created in the clinic, and chosen', async () => {
    const queries = readings();
    const { onDecide } = await showStudies({ studies: [ofErik()], queries, answer: compared });
    await press('New patient');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /First name/ }));
    await press('Add and choose');
    await waitFor(() => expect(onDecide).toHaveBeenCalled());
    expect(queries.createPatient).toHaveBeenCalledExactlyOnceWith({
      customerId: clinicId,
      firstName: 'Erik',
      lastName: 'Berg',
      personalNumber: '197001019805',
      birthDate: '1970-01-01',
      sex: 'M',
      comments: null,
      protectedIdentity: false,
    });
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { patientId: erik.id, mismatchConfirmed: false });
  });

  it('offers the existing patient when the number is taken', async () => {
    const queries = {
      ...readings(),
      createPatient: async () => {
        throw refused('personal-number-taken', [{ fieldKey: 'personalNumber' }]);
      },
    };
    const { onDecide } = await showStudies({ studies: [ofErik()], queries, answer: compared });
    await press('New patient');
    await press('Add and choose');
    expect(await screen.findByText(/This patient has the same personal number/)).toBeTruthy();
    expect(onDecide).not.toHaveBeenCalled();
    await press(/^Berg, Erik/);
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { patientId: erik.id, mismatchConfirmed: false });
  });
});
