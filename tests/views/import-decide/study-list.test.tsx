import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import {
  aFile,
  aStudy,
  asa,
  button,
  clinicId,
  compared,
  decided,
  erik,
  namesAsa,
  namesErik,
  ofErik,
  press,
  showStudies,
} from './decide-fixture.tsx';

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
