import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { ImportDecision, ImportStudy } from '../../../contract/imports.ts';
import { refused } from '../edit/edit-fixture.tsx';
import {
  aFile,
  aStudy,
  asa,
  clinicId,
  decided,
  erik,
  fileId,
  namesAsa,
  namesErik,
  readings,
  showStudies,
  square,
} from './decide-fixture.tsx';

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const press = (name: string | RegExp) => userEvent.click(button(name));

/** The server's match result for a study whose files name Erik. */
const compared = (study: ImportStudy, decision: Partial<ImportDecision>): ImportStudy => {
  const next = decided(study, decision);
  const patient = [asa, erik].find(({ id }) => id === next.decision.patientId) ?? null;
  const match = !patient || !study.named ? 'unknown' : patient === erik ? 'same' : 'differs';
  const isBlocked = match === 'differs' && !next.decision.mismatchConfirmed;
  return {
    ...next,
    patient,
    match,
    obstacles: patient ? (isBlocked ? ['mismatch-not-confirmed'] : []) : ['patient-missing'],
  };
};
const ofErik = (decision: Partial<ImportDecision> = {}, facts: Partial<ImportStudy> = {}) =>
  compared(aStudy({ named: namesErik, ...facts }), decision);

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

describe('the studies of an import', () => {
  const alike = (key: string, description: string, decision = {}) => ofErik(decision, { key, description });

  it('are listed with the first undecided one expanded, and lead from one to the next', async () => {
    const candidates = [{ patient: erik, match: 'same' as const }];
    await showStudies({
      studies: [
        alike('1', 'Ready', { patientId: erik.id }),
        ofErik({}, { key: '2', description: 'Waits', candidates }),
        ofErik({}, { key: '3', description: 'Waits too', named: namesAsa }),
      ],
      answer: compared,
    });
    const isOpen = () =>
      ['Ready', 'Waits', 'Waits too'].map((name) => button(name).getAttribute('aria-expanded') === 'true');
    expect(isOpen()).toEqual([false, true, false]);
    expect(screen.getByText('Ready to import to Erik Berg')).toBeTruthy();
    await press(/^Berg, Erik/);
    expect(isOpen()).toEqual([false, true, false]);
    await press('Next study');
    expect(isOpen()).toEqual([false, true, true]);
    const last = screen.getByRole('listitem', { name: 'Waits too' });
    expect(last.contains(document.activeElement)).toBe(true);
  });

  it('show patient and match when collapsed', async () => {
    await showStudies({
      studies: [
        ofErik({ patientId: erik.id }, { key: '1', description: 'Same' }),
        ofErik({ patientId: asa.id, mismatchConfirmed: true }, { key: '2', description: 'Confirmed' }),
        compared(aStudy({ key: '3', description: 'Unsure' }), { patientId: asa.id }),
        ofErik({ patientId: asa.id }, { key: '4', description: 'First that waits' }),
        ofErik({ patientId: asa.id }, { key: '5', description: 'Waits' }),
      ],
    });
    const expectText = (name: string, text: string) =>
      expect(within(screen.getByRole('listitem', { name })).getByText(text)).toBeTruthy();
    expectText('Same', 'Ready to import to Erik Berg');
    expectText('Confirmed', 'Confirmed: import to Åsa Lindström although the files contain Erik Berg');
    expectText(
      'Unsure',
      'Will be imported to Åsa Lindström. The files do not contain enough data to verify the patient',
    );
    expectText('Waits', 'The files contain Erik Berg. Confirm the import to Åsa Lindström, or choose another patient');
  });

  it('with the same identity get the same patient with one click, and no other study does', async () => {
    const { onDecide } = await showStudies({
      studies: [
        alike('1', 'One', { patientId: erik.id }),
        alike('2', 'Two'),
        alike('3', 'Three'),
        ofErik({}, { key: '4', description: 'Of Åsa', named: namesAsa }),
      ],
      answer: compared,
    });
    await press('One');
    await press('Use the same patient for 2 more studies with Erik Berg');
    expect(onDecide.mock.calls).toEqual([
      ['2', { patientId: erik.id, mismatchConfirmed: false }],
      ['3', { patientId: erik.id, mismatchConfirmed: false }],
    ]);
  });

  it('can be excluded, and included again', async () => {
    const { onDecide } = await showStudies({ studies: [ofErik()], answer: decided });
    const box = screen.getByRole('checkbox', { name: 'Do not import the study Bitewing' });
    await userEvent.click(box);
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { leftOut: true });
    expect(screen.getByText('Left out: will not be imported')).toBeTruthy();
    expect(screen.queryByText('Patient in the files')).toBeNull();
    await userEvent.click(box);
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { leftOut: false });
    expect(screen.getByText('Patient in the files')).toBeTruthy();
  });

  it('show what they add to an archived study, and its patient', async () => {
    const { onDecide } = await showStudies({
      studies: [
        aStudy({
          studyDate: '2024-05-01',
          inArchive: { studyId: '0d1c9c4b-7a52-4a44-9f10-3b1d1c0c7e21', patient: asa, images: 11, isDeleted: false },
          named: namesErik,
          patient: erik,
          match: 'same',
          obstacles: ['study-of-another-patient'],
        }),
      ],
      files: [aFile(1), aFile(2), aFile(3), aFile(4, { status: 'duplicate' })],
    });
    expect(screen.getByText(/Adds up to 3 images to the study of 2024-05-01/)).toBeTruthy();
    expect(screen.getByText('In the archive this study belongs to Åsa Lindström')).toBeTruthy();
    expect(screen.queryByText('Same patient')).toBeNull();
    expect(screen.queryByRole('button', { name: /although the files contain/ })).toBeNull();
    await press('Choose Åsa Lindström');
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { patientId: asa.id, mismatchConfirmed: false });
  });

  it('move from the recycle bin of another patient, with a new decision', async () => {
    const studyId = '0d1c9c4b-7a52-4a44-9f10-3b1d1c0c7e21';
    const { onDecide, onMove } = await showStudies({
      studies: [
        aStudy({
          inArchive: { studyId, patient: asa, images: 11, isDeleted: true },
          deletedFiles: 3,
          named: namesErik,
          patient: erik,
          match: 'same',
          obstacles: ['study-of-another-patient'],
        }),
      ],
    });
    expect(screen.getByText('The study is in the recycle bin and belongs to Åsa Lindström')).toBeTruthy();
    expect(screen.queryByText(/The import restores/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Choose Åsa Lindström' })).toBeNull();
    await press('Move the study from Åsa Lindström to Erik Berg …');
    expect(onMove).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ studyId, patientFromId: asa.id, patientToId: erik.id, customerId: clinicId }),
    );
    expect(onDecide).not.toHaveBeenCalled();
    act(() => onMove.mock.calls[0]?.[0].onMoved?.());
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { patientId: erik.id, mismatchConfirmed: false });
  });

  it('show that they restore from the recycle bin', async () => {
    const inArchive = { studyId: '0d1c9c4b-7a52-4a44-9f10-3b1d1c0c7e21', patient: erik, images: 2, isDeleted: true };
    const { replace } = await showStudies({
      studies: [ofErik({ patientId: erik.id }, { inArchive, deletedFiles: 2 })],
    });
    expect(screen.getByText('2 images are in the recycle bin. The import restores them.')).toBeTruthy();
    act(() => replace([ofErik({ patientId: erik.id }, { inArchive, deletedFiles: 0 })]));
    expect(screen.getByText(/The study is in the recycle bin\. The import restores it/)).toBeTruthy();
  });

  it('with three hundred files render a few, and all on request', async () => {
    const files = Array.from({ length: 300 }, (_, index) => aFile(index, { thumbLink: `/thumb/${index}` }));
    await showStudies({ studies: [aStudy({ filesCount: 300 })], files });
    const pictures = () => within(screen.getByRole('list', { name: 'Images' })).getAllByRole('listitem').length;
    expect(pictures()).toBeLessThan(40);
    await press('Show all 300');
    expect(pictures()).toBe(300);
    expect(document.querySelectorAll('img:not([loading=lazy])')).toHaveLength(0);
  });
});

describe('pictures', () => {
  it('go into a new or existing study of the patient, and the choice is reset with the patient', async () => {
    const studies = {
      data: [{ uid: '9.9', studyDate: '2024-05-01', description: 'Status', series: [] }],
      totalCount: 1,
    };
    const queries = {
      ...readings(),
      studies: () => ({ queryKey: ['studies'], queryFn: async () => studies as never }),
    };
    const { onDecide } = await showStudies({
      studies: [
        compared(
          aStudy({ kind: 'static', key: 'pictures', named: null, candidates: [{ patient: erik, match: 'possible' }] }),
          { patientId: asa.id },
        ),
      ],
      queries,
      answer: compared,
    });
    const select = screen.getByRole('combobox', { name: 'Target study for the pictures' });
    await within(select).findByRole('option', { name: '2024-05-01 · Status · 0 images' });
    await userEvent.selectOptions(select, '9.9');
    expect(onDecide).toHaveBeenLastCalledWith('pictures', { studyUid: '9.9' });
    await press('Choose another patient');
    await press(/^Berg, Erik/);
    expect(onDecide).toHaveBeenLastCalledWith('pictures', {
      patientId: erik.id,
      mismatchConfirmed: false,
      studyUid: null,
    });
  });
});

describe('the template', () => {
  it('is none, with the reason, for a study that has a mount', async () => {
    await showStudies({ studies: [aStudy({ alreadyHasViewSet: true })] });
    expect(await screen.findByText(/already has a mount/)).toBeTruthy();
    expect(screen.getByRole('radio', { name: /No template/ }).getAttribute('aria-checked')).toBe('true');
  });

  it("is chosen with one click; the server's placement is shown", async () => {
    const { onDecide, settle, replace } = await showStudies({ studies: [aStudy()], files: [aFile(1), aFile(2)] });
    await userEvent.click(await screen.findByRole('radio', { name: /Square/ }));
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { viewSetTemplateUuid: square.uuid });
    expect(screen.getByText('Placing images')).toBeTruthy();
    act(() => settle('taken'));
    act(() => replace([aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 2: fileId(1) } })]));
    expect(screen.getByText('1 of 4 slots filled')).toBeTruthy();
    expect(screen.getByRole('option', { name: 'Slot 3, IM1' })).toBeTruthy();
    await press('No template');
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { viewSetTemplateUuid: null, imagesHashMap: {} });
  });

  it('is placed again on request', async () => {
    const { onDecide, settle } = await showStudies({
      studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 0: fileId(2) } })],
      files: [aFile(1), aFile(2)],
    });
    await screen.findByRole('option', { name: 'Slot 1, teeth 16, IM2' });
    await press('Place images automatically');
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { viewSetTemplateUuid: null, imagesHashMap: {} });
    expect(screen.getByText('Placing images')).toBeTruthy();
    act(() => settle('taken'));
    await waitFor(() => expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { viewSetTemplateUuid: square.uuid }));
    expect(screen.getByText('Placing images')).toBeTruthy();
    act(() => settle('taken'));
    expect(screen.queryByText('Placing images')).toBeNull();
  });

  it('chosen while links are being sent is sent afterwards, without them', async () => {
    const { onDecide, settle } = await showStudies({
      studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 0: fileId(1) } })],
      files: [aFile(1)],
    });
    await screen.findByRole('option', { name: /^Slot 1/ });
    await press('Empty all slots');
    await press('Change template');
    await userEvent.click(await screen.findByRole('radio', { name: /Panorama/ }));
    expect(onDecide.mock.calls.map(([, decision]) => decision)).toEqual([{ imagesHashMap: {} }]);
    act(() => settle('taken'));
    await waitFor(() => expect(onDecide).toHaveBeenCalledTimes(2));
    expect(Object.keys(onDecide.mock.lastCall?.[1] ?? {})).toEqual(['viewSetTemplateUuid']);
  });
});

describe('a rejected decision', () => {
  it('is reverted, and the error is shown at its study', async () => {
    const { settle } = await showStudies({
      studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 0: fileId(1) } })],
      files: [aFile(1)],
    });
    await screen.findByRole('option', { name: /^Slot 1/ });
    await press('Empty all slots');
    expect(screen.getByText('0 of 4 slots filled')).toBeTruthy();
    act(() => settle('refused'));
    expect(screen.getByText('1 of 4 slots filled')).toBeTruthy();
    expect(screen.getByText(/The change was undone/)).toBeTruthy();
  });
});
