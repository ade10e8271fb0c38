import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aFile, aStudy, asa, compared, erik, fileId, press, readings, showStudies, square } from './decide-fixture.tsx';

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
