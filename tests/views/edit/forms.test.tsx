import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Viewset } from '../../../contract/viewsets.ts';
import { EditImage } from '../../../src/views/edit/edit-image.tsx';
import { EditPatient } from '../../../src/views/edit/edit-patient.tsx';
import { EditStudy } from '../../../src/views/edit/edit-study.tsx';
import { EditViewset } from '../../../src/views/edit/edit-viewset.tsx';
import { NewPatient } from '../../../src/views/edit/new-patient.tsx';
import { idOf } from '../records.ts';
import { image, patient, refused, showWith, study, template, viewset, writing } from './edit-fixture.tsx';

const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
const retype = async (name: RegExp, text: string) => {
  await userEvent.clear(field(name));
  if (text) await userEvent.type(field(name), text);
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('editing a patient', () => {
  const open = async (archive = writing()) => {
    const onClose = vi.fn<() => void>();
    await showWith(archive, <EditPatient canUnprotect patient={patient()} onClose={onClose} />);
    await screen.findByRole('dialog');
    return { archive, onClose };
  };

  it('sends the typed values with the version that was read, on Enter', async () => {
    const { archive, onClose } = await open();
    await retype(/last name/i, 'Lindgren{Enter}');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    const { lastStudyDate: _, ...known } = patient().mainInfo;
    expect(archive.updatePatient).toHaveBeenCalledExactlyOnceWith({
      id: idOf(1),
      version: 3,
      ...known,
      lastName: 'Lindgren',
    });
  });

  it('protects the identity of a patient by a box, by keyboard too', async () => {
    const { archive } = await open();
    const toggle = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Protected identity' });
    toggle.focus();
    await userEvent.keyboard(' ');
    expect(toggle.checked).toBe(true);
    await press('Save');
    expect(archive.updatePatient).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ protectedIdentity: true }));
  });

  it('says that a user without the right cannot remove the mark', async () => {
    const known = patient({ protectedIdentity: true });
    await showWith(writing(), <EditPatient canUnprotect={false} patient={known} onClose={() => {}} />);
    const toggle = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Protected identity' });
    expect([toggle.checked, toggle.disabled]).toEqual([true, true]);
    expect(screen.getByText(/^Only a user with the right/)).toBeTruthy();
  });

  it('sends nothing invalid, and focuses the first invalid field', async () => {
    const { archive } = await open();
    await retype(/first name/i, 'A');
    await retype(/birth date/i, '2026-02-31');
    await press('Save');
    expect(archive.updatePatient).not.toHaveBeenCalled();
    expect(screen.getByText('2 to 100 characters')).toBeTruthy();
    expect(field(/birth date/i).getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field(/first name/i));
  });

  it('shows a rejected field at its field and focuses it', async () => {
    const archive = writing({
      updatePatient: async () => {
        throw refused('personal-number-taken', [{ fieldKey: 'personalNumber' }]);
      },
    });
    const { onClose } = await open(archive);
    await retype(/personal number/i, '199001012384');
    await press('Save');
    await waitFor(() => expect(field(/personal number/i).getAttribute('aria-invalid')).toBe('true'));
    expect(field(/personal number/i).getAttribute('aria-describedby')).toMatch(/error/);
    expect(document.activeElement).toBe(field(/personal number/i));
    expect(onClose).not.toHaveBeenCalled();
  });

  it('reports a version conflict and loads the newer values', async () => {
    const theirs = patient({ lastName: 'Ek' }, 4);
    const updatePatient = vi.fn(async ({ version }: { version: number }) => {
      if (version === 3) throw refused('conflict');
      return theirs;
    });
    const queries = { queryKey: ['theirs'], queryFn: async () => theirs };
    const { onClose } = await open(writing({ updatePatient, patient: () => queries }));
    await retype(/first name/i, 'Eva');
    await press('Save');
    await press((await screen.findByRole('button', { name: 'Load current version' })).textContent ?? '');
    await waitFor(() => expect(field(/last name/i).value).toBe('Ek'));
    expect(field(/first name/i).value).toBe('Anna');
    await retype(/first name/i, 'Eva');
    await press('Save');
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(updatePatient).toHaveBeenLastCalledWith(
      expect.objectContaining({ version: 4, firstName: 'Eva', lastName: 'Ek' }),
    );
  });

  it('confirms before it discards input, and only then', async () => {
    const { onClose } = await open();
    await retype(/first name/i, 'Eva');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep editing'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText('Close without saving?')).toBeNull());
    await press('Cancel');
    await screen.findByText('Close without saving?');
    await press('Keep editing');
    expect(onClose).not.toHaveBeenCalled();
    await waitFor(() => expect(screen.queryByText('Close without saving?')).toBeNull());
    expect(field(/first name/i).value).toBe('Eva');
    await retype(/first name/i, 'Anna');
    await press('Cancel');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('warns before the tab is closed while there are unsaved changes', async () => {
    const isHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await open();
    expect(isHeld()).toBe(false);
    await retype(/first name/i, 'Eva');
    await waitFor(() => expect(isHeld()).toBe(true));
    await retype(/first name/i, 'Anna');
    await waitFor(() => expect(isHeld()).toBe(false));
  });
});

it('a new patient has the same fields; the birth date follows the personal number until it is edited', async () => {
  const archive = writing();
  const onMade = vi.fn<(id: string) => void>();
  await showWith(archive, <NewPatient clinicId={idOf(2)} onClose={() => {}} onMade={onMade} />);
  await retype(/first name/i, 'Eva');
  await retype(/last name/i, 'Ek');
  await retype(/personal number/i, '198504232384');
  expect(field(/birth date/i).value).toBe('1985-04-23');
  await press('Add patient');
  await waitFor(() => expect(onMade).toHaveBeenCalledWith(idOf(1)));
  expect(archive.createPatient).toHaveBeenCalledWith({
    customerId: idOf(2),
    firstName: 'Eva',
    lastName: 'Ek',
    personalNumber: '198504232384',
    birthDate: '1985-04-23',
    sex: null,
    comments: null,
    protectedIdentity: false,
  });
});

it('a study is saved with its version; a rejected date is shown at its field', async () => {
  const updateStudy = vi.fn(async () => {
    throw refused('invalid-request', [{ fieldKey: 'studyDate' }]);
  });
  const archive = writing({ updateStudy });
  await showWith(archive, <EditStudy study={study()} onClose={() => {}} />);
  await retype(/accession/i, 'R-17');
  await retype(/study date/i, '');
  await press('Save');
  await waitFor(() => expect(field(/study date/i).getAttribute('aria-invalid')).toBe('true'));
  expect(updateStudy).toHaveBeenCalledWith({
    id: idOf(6),
    version: 7,
    description: 'Check-up',
    studyDate: null,
    accessionNumber: 'R-17',
  });
});

it('saves the name and comment of a mount', async () => {
  const archive = writing();
  const onClose = vi.fn<() => void>();
  await showWith(archive, <EditViewset viewsetId={idOf(7)} onClose={onClose} />);
  await screen.findByRole('textbox', { name: /name/i });
  await retype(/name/i, 'FMX after');
  await retype(/comments/i, '');
  await press('Save');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(archive.updateViewset).toHaveBeenCalledWith({
    viewSetUuid: idOf(7),
    version: 9,
    name: 'FMX after',
    comments: null,
  });
});

describe('editing an image', () => {
  const open = async (changes: Parameters<typeof image>[1] = {}, slotTeeth: readonly number[] = []) => {
    const archive = writing();
    const onClose = vi.fn<() => void>();
    const edit = <EditImage patientId={idOf(1)} image={image(1, changes)} slotTeeth={slotTeeth} onClose={onClose} />;
    await showWith(archive, edit);
    await waitFor(() => expect(document.activeElement).toBe(field(/comment/i)));
    const save = async () => {
      await press('Save');
      await waitFor(() => expect(onClose).toHaveBeenCalled());
      return archive.updateImage.mock.calls[0]?.[0];
    };
    return { save };
  };
  const tooth = (name: string) => screen.getByRole('button', { name: `Tooth ${name}` });
  const pressed = () =>
    screen
      .getAllByRole('button', { name: /^Tooth/, pressed: true })
      .map((button) => button.textContent)
      .toSorted();

  it('shows the teeth of the slot rather than those of the file, and does not save them', async () => {
    const { save } = await open({}, [46, 47]);
    expect(pressed()).toEqual(['46', '47']);
    await userEvent.type(field(/comment/i), 'Caries?');
    expect(await save()).toEqual({ uid: image(1).uid, version: 4, imageComment: 'Caries?', teeth: null });
  });

  it('finds the teeth of the slot in which the image is mounted', async () => {
    const item = { ...template(1, '').viewSetItems[0], teeth: [36], activeImage: image(1), display: null };
    const mounted = { ...viewset, viewSetItems: [{ ...item, displayVersion: 0 }] } as Viewset;
    const queries = writing({ viewset: () => ({ queryKey: ['hung'], queryFn: async () => mounted }) });
    const mountedImage = image(1, { viewsetId: idOf(7) });
    await showWith(queries, <EditImage patientId={idOf(1)} image={mountedImage} slotTeeth={[]} onClose={() => {}} />);
    await screen.findByText('From the slot');
    expect(pressed()).toEqual(['36']);
  });

  it('adds a clicked tooth to the inherited ones', async () => {
    const { save } = await open();
    await userEvent.click(tooth('55'));
    await userEvent.click(tooth('17'));
    expect(pressed()).toEqual(['16', '55']);
    expect(await save()).toMatchObject({ teeth: [16, 55] });
  });

  it('returns to the teeth of the file', async () => {
    const { save } = await open({ teethSource: 'user', teeth: [21] });
    expect(pressed()).toEqual(['21']);
    await userEvent.click(screen.getByText('From the file'));
    expect(screen.queryAllByRole('button', { name: /^Tooth/, pressed: true })).toEqual([]);
    expect(await save()).toMatchObject({ teeth: null });
  });

  it('moves by arrow keys across the midline and between the jaws, and selects with Space', async () => {
    const { save } = await open({ teeth: [11] });
    tooth('11').focus();
    await userEvent.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(tooth('21'));
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(tooth('61'));
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowLeft}');
    expect(document.activeElement).toBe(tooth('41'));
    await userEvent.keyboard(' ');
    expect(await save()).toMatchObject({ teeth: [11, 41] });
  });

  it("displays teeth in the user's notation and sends ISO 3950", async () => {
    const { save } = await open();
    await userEvent.click(screen.getByText('Universal'));
    expect(pressed()).toEqual(['2', '3']);
    await userEvent.click(tooth('32'));
    await userEvent.click(screen.getByText('FDI'));
    expect(await save()).toMatchObject({ teeth: [16, 17, 48] });
  });
});
