import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { ImportDecision, ImportStudy } from '../../../contract/imports.ts';
import { refused } from '../edit/writing.tsx';
import {
  aFile,
  aStudy,
  asa,
  clinicId,
  decided,
  erik,
  fileId,
  readings,
  sayAsa,
  sayErik,
  showDesk,
  square,
} from './desk.tsx';

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const press = (name: string | RegExp) => userEvent.click(button(name));

/** The archive's word on a patient, for a study whose files name Erik. */
const compared = (study: ImportStudy, decision: Partial<ImportDecision>): ImportStudy => {
  const next = decided(study, decision);
  const patient = [asa, erik].find(({ id }) => id === next.decision.patientId) ?? null;
  const match = !patient || !study.named ? 'unknown' : patient === erik ? 'same' : 'differs';
  const isBarred = match === 'differs' && !next.decision.mismatchConfirmed;
  return {
    ...next,
    patient,
    match,
    obstacles: patient ? (isBarred ? ['mismatch-not-confirmed'] : []) : ['patient-missing'],
  };
};
const ofErik = (decision: Partial<ImportDecision> = {}, facts: Partial<ImportStudy> = {}) =>
  compared(aStudy({ named: sayErik, ...facts }), decision);

describe('whose images they are', () => {
  it('is asked with the reasons for each candidate, and goes in green once the archive says the same', async () => {
    const { onDecide } = await showDesk({
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
    expect(screen.getByText('Choose whose images these are')).toBeTruthy();
    const candidates = within(screen.getByRole('list', { name: 'Patients whom the images may show' }));
    const [first] = candidates.getAllByRole('button');
    expect(first?.textContent).toBe('Berg, Erik197001019805 · 1970-01-01Same personal numberSame nameSame birth date');
    await userEvent.click(candidates.getByRole('button', { name: /^Berg, Erik/ }));
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { patientId: erik.id, mismatchConfirmed: false });
    expect(screen.getByText('The same person')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(button('Choose another patient')));
  });

  it('says nothing fits until the archive has compared', async () => {
    const { settle } = await showDesk({
      studies: [ofErik({}, { candidates: [{ patient: erik, match: 'same' }] })],
    });
    await press(/^Berg, Erik/);
    expect(screen.queryByText('The same person')).toBeNull();
    expect(screen.getByText('Comparing the files with the patient')).toBeTruthy();
    expect(screen.getByText('No patient chosen yet')).toBeTruthy();
    act(() => settle('refused'));
    expect(screen.getByText(/The change was taken back/)).toBeTruthy();
    expect(screen.getByText('Choose whose images these are')).toBeTruthy();
  });

  it('forgets whom it fitted as soon as somebody else is chosen', async () => {
    const { settle } = await showDesk({
      studies: [ofErik({ patientId: erik.id }, { candidates: [{ patient: asa, match: 'possible' }] })],
    });
    expect(screen.getByText('The same person')).toBeTruthy();
    await press('Choose another patient');
    await press(/^Lindström, Åsa/);
    expect(screen.queryByText('The same person')).toBeNull();
    expect(screen.getByText('No patient chosen yet')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /although the files say/ })).toBeNull();
    act(() => settle('refused'));
    expect(screen.getByText('The same person')).toBeTruthy();
  });

  it('goes to somebody else than the files say only by a word that names both, and another patient withdraws it', async () => {
    const { onDecide } = await showDesk({ studies: [ofErik({ patientId: asa.id })], answer: compared });
    expect(screen.getByText('Erik Berg')).toBeTruthy();
    expect(screen.getByText('Åsa Lindström')).toBeTruthy();
    await press('Import to Åsa Lindström although the files say Erik Berg');
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { patientId: asa.id, mismatchConfirmed: true });
    expect(screen.getByText('Confirmed: to Åsa Lindström although the files say Erik Berg')).toBeTruthy();
    await press('Choose another patient');
    await userEvent.type(screen.getByRole('textbox', { name: 'Search for a patient of the clinic' }), 'Berg');
    await userEvent.click(await screen.findByRole('button', { name: /^Berg, Erik/ }));
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { patientId: erik.id, mismatchConfirmed: false });
  });

  it('can be taken back after it was confirmed', async () => {
    const { onDecide } = await showDesk({
      studies: [ofErik({ patientId: asa.id, mismatchConfirmed: true })],
      answer: compared,
    });
    await press('Withdraw the confirmation');
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { mismatchConfirmed: false });
    expect(button(/although the files say/)).toBeTruthy();
  });

  it('names everybody whom the files of one study name, with counts', async () => {
    const said = (named: typeof sayErik) => ({ patient: { ...named, match: 'differs' as const } });
    await showDesk({
      studies: [ofErik({ patientId: asa.id }, { namesSeveral: true })],
      files: [aFile(1, said(sayErik)), aFile(2, said(sayErik)), aFile(3, said({ ...sayErik, name: 'Nilsson^Karl' }))],
    });
    expect(screen.getByText('Erik Berg (2 files)')).toBeTruthy();
    expect(screen.getByText('Karl Nilsson (1 file)')).toBeTruthy();
    expect(screen.getByText('The files of this study name 2 different people')).toBeTruthy();
    expect(button('Import to Åsa Lindström although the files say Erik Berg, Karl Nilsson')).toBeTruthy();
  });

  it('asks the archive from the third character on', async () => {
    const reading = readings();
    await showDesk({ studies: [ofErik()], reading });
    const box = screen.getByRole('textbox', { name: 'Search for a patient of the clinic' });
    await userEvent.type(box, 'Li');
    expect(screen.queryByRole('list', { name: /hits|result/i })).toBeNull();
    await userEvent.type(box, 'nd');
    await screen.findByRole('button', { name: /^Lindström, Åsa/ });
    const asked = reading.patients.mock.calls.map(([{ q }]) => q);
    expect(asked).toContain('Lind');
    expect(asked.filter((q) => q !== '' && q !== 'Lind')).toEqual([]);
  });
});

describe('a new patient', () => {
  it('is filled in from the files, made in the clinic, and chosen at once', async () => {
    const reading = readings();
    const { onDecide } = await showDesk({ studies: [ofErik()], reading, answer: compared });
    await press('New patient');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /First name/ }));
    await press('Add and choose');
    await waitFor(() => expect(onDecide).toHaveBeenCalled());
    expect(reading.createPatient).toHaveBeenCalledExactlyOnceWith({
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

  it('whose number is taken leads to whoever has it', async () => {
    const reading = {
      ...readings(),
      createPatient: async () => {
        throw refused('personal-number-taken', [{ fieldKey: 'personalNumber' }]);
      },
    };
    const { onDecide } = await showDesk({ studies: [ofErik()], reading, answer: compared });
    await press('New patient');
    await press('Add and choose');
    expect(await screen.findByText(/This patient has the personal number/)).toBeTruthy();
    expect(onDecide).not.toHaveBeenCalled();
    await press(/^Berg, Erik/);
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { patientId: erik.id, mismatchConfirmed: false });
  });
});

describe('the studies of an import', () => {
  const alike = (key: string, description: string, decision = {}) => ofErik(decision, { key, description });

  it('stand below each other, the first that waits for a person open, and lead from one to the next', async () => {
    const candidates = [{ patient: erik, match: 'same' as const }];
    await showDesk({
      studies: [
        alike('1', 'Ready', { patientId: erik.id }),
        ofErik({}, { key: '2', description: 'Waits', candidates }),
        ofErik({}, { key: '3', description: 'Waits too', named: sayAsa }),
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

  it('that are closed say to whom they go, and how sure that is', async () => {
    await showDesk({
      studies: [
        ofErik({ patientId: erik.id }, { key: '1', description: 'Same' }),
        ofErik({ patientId: asa.id, mismatchConfirmed: true }, { key: '2', description: 'Confirmed' }),
        compared(aStudy({ key: '3', description: 'Unsure' }), { patientId: asa.id }),
        ofErik({ patientId: asa.id }, { key: '4', description: 'First that waits' }),
        ofErik({ patientId: asa.id }, { key: '5', description: 'Waits' }),
      ],
    });
    const says = (name: string, text: string) =>
      expect(within(screen.getByRole('listitem', { name })).getByText(text)).toBeTruthy();
    says('Same', 'Ready to import to Erik Berg');
    says('Confirmed', 'Confirmed: to Åsa Lindström although the files say Erik Berg');
    says('Unsure', 'Goes to Åsa Lindström. The files say too little to tell whether this is the right patient');
    says('Waits', 'The files say Erik Berg. Confirm that the images go to Åsa Lindström, or choose another patient');
  });

  it('of the same person get the same patient by one press, and nobody else does', async () => {
    const { onDecide } = await showDesk({
      studies: [
        alike('1', 'One', { patientId: erik.id }),
        alike('2', 'Two'),
        alike('3', 'Three'),
        ofErik({}, { key: '4', description: 'Of Åsa', named: sayAsa }),
      ],
      answer: compared,
    });
    await press('One');
    await press('The same patient for 2 more studies that say Erik Berg');
    expect(onDecide.mock.calls).toEqual([
      ['2', { patientId: erik.id, mismatchConfirmed: false }],
      ['3', { patientId: erik.id, mismatchConfirmed: false }],
    ]);
  });

  it('can be left out, and taken in again', async () => {
    const { onDecide } = await showDesk({ studies: [ofErik()], answer: decided });
    const box = screen.getByRole('checkbox', { name: 'Do not import the study Bitewing' });
    await userEvent.click(box);
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { leftOut: true });
    expect(screen.getByText('Left out: will not be imported')).toBeTruthy();
    expect(screen.queryByText('The files say')).toBeNull();
    await userEvent.click(box);
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { leftOut: false });
    expect(screen.getByText('The files say')).toBeTruthy();
  });

  it('say what they add to a study that the archive has, and under whom it has it', async () => {
    const { onDecide } = await showDesk({
      studies: [
        aStudy({
          studyDate: '2024-05-01',
          inArchive: { patient: asa, images: 11 },
          named: sayErik,
          patient: erik,
          match: 'same',
          obstacles: ['study-of-another-patient'],
        }),
      ],
      files: [aFile(1), aFile(2), aFile(3), aFile(4, { status: 'duplicate' })],
    });
    expect(screen.getByText(/Adds up to 3 images to the study of 2024-05-01/)).toBeTruthy();
    expect(screen.getByText('The archive has this study under Åsa Lindström')).toBeTruthy();
    expect(screen.queryByText('The same person')).toBeNull();
    expect(screen.queryByRole('button', { name: /although the files say/ })).toBeNull();
    await press('Choose Åsa Lindström');
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { patientId: asa.id, mismatchConfirmed: false });
  });

  it('of three hundred files draw a few, and all when asked', async () => {
    const files = Array.from({ length: 300 }, (_, index) => aFile(index, { thumbLink: `/thumb/${index}` }));
    await showDesk({ studies: [aStudy({ filesCount: 300 })], files });
    const pictures = () => within(screen.getByRole('list', { name: 'Images' })).getAllByRole('listitem').length;
    expect(pictures()).toBeLessThan(40);
    await press('Show all 300');
    expect(pictures()).toBe(300);
    expect(document.querySelectorAll('img:not([loading=lazy])')).toHaveLength(0);
  });
});

describe('pictures', () => {
  it('go into a new study or into one of the patient’s, and into none of the patient before', async () => {
    const studies = {
      data: [{ uid: '9.9', studyDate: '2024-05-01', description: 'Status', series: [] }],
      totalCount: 1,
    };
    const reading = {
      ...readings(),
      studies: () => ({ queryKey: ['studies'], queryFn: async () => studies as never }),
    };
    const { onDecide } = await showDesk({
      studies: [
        compared(
          aStudy({ kind: 'static', key: 'pictures', named: null, candidates: [{ patient: erik, match: 'possible' }] }),
          { patientId: asa.id },
        ),
      ],
      reading,
      answer: compared,
    });
    const select = screen.getByRole('combobox', { name: 'The study that the pictures go into' });
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
  it('is none, with the reason, where the study has a mount already', async () => {
    await showDesk({ studies: [aStudy({ alreadyHasViewSet: true })] });
    expect(await screen.findByText(/already has a mount in the archive/)).toBeTruthy();
    expect(screen.getByRole('radio', { name: /No template/ }).getAttribute('aria-checked')).toBe('true');
  });

  it('is taken by one press; the archive places the files, and what it says is shown', async () => {
    const { onDecide, settle, replace } = await showDesk({ studies: [aStudy()], files: [aFile(1), aFile(2)] });
    await userEvent.click(await screen.findByRole('radio', { name: /Square/ }));
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { viewSetTemplateUuid: square.uuid });
    expect(screen.getByText('The archive is placing the images')).toBeTruthy();
    act(() => settle('taken'));
    act(() => replace([aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 2: fileId(1) } })]));
    expect(screen.getByText('1 of 4 slots filled')).toBeTruthy();
    expect(screen.getByRole('option', { name: 'Slot 3, IM1' })).toBeTruthy();
    await press('No template');
    expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { viewSetTemplateUuid: null, imagesHashMap: {} });
  });

  it('is filled anew when asked: the archive places files into a template that is new to the study', async () => {
    const { onDecide, settle } = await showDesk({
      studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 0: fileId(2) } })],
      files: [aFile(1), aFile(2)],
    });
    await screen.findByRole('option', { name: 'Slot 1, teeth 16, IM2' });
    await press('Let the archive place them');
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('2.25.1', { viewSetTemplateUuid: null, imagesHashMap: {} });
    expect(screen.getByText('The archive is placing the images')).toBeTruthy();
    act(() => settle('taken'));
    await waitFor(() => expect(onDecide).toHaveBeenLastCalledWith('2.25.1', { viewSetTemplateUuid: square.uuid }));
    expect(screen.getByText('The archive is placing the images')).toBeTruthy();
    act(() => settle('taken'));
    expect(screen.queryByText('The archive is placing the images')).toBeNull();
  });

  it('that is chosen while links are on their way goes after them, and without them', async () => {
    const { onDecide, settle } = await showDesk({
      studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 0: fileId(1) } })],
      files: [aFile(1)],
    });
    await screen.findByRole('option', { name: /^Slot 1/ });
    await press('Empty all');
    await press('Change template');
    await userEvent.click(await screen.findByRole('radio', { name: /Panorama/ }));
    expect(onDecide.mock.calls.map(([, decision]) => decision)).toEqual([{ imagesHashMap: {} }]);
    act(() => settle('taken'));
    await waitFor(() => expect(onDecide).toHaveBeenCalledTimes(2));
    expect(Object.keys(onDecide.mock.lastCall?.[1] ?? {})).toEqual(['viewSetTemplateUuid']);
  });
});

describe('what the archive refuses', () => {
  it('is taken back, and said at its study', async () => {
    const { settle } = await showDesk({
      studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 0: fileId(1) } })],
      files: [aFile(1)],
    });
    await screen.findByRole('option', { name: /^Slot 1/ });
    await press('Empty all');
    expect(screen.getByText('0 of 4 slots filled')).toBeTruthy();
    act(() => settle('refused'));
    expect(screen.getByText('1 of 4 slots filled')).toBeTruthy();
    expect(screen.getByText(/The change was taken back/)).toBeTruthy();
  });
});
