import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds, dateOnly } from '../../../contract/bounds.ts';
import type { Study } from '../../../contract/studies.ts';
import classes from '../forms/form.module.css';
import { FormEnd } from '../forms/form-end.tsx';
import { useSending } from '../forms/use-sending.ts';
import { useReading } from '../reading.tsx';
import { EditModal } from './edit-modal.tsx';
import { useKnown } from './use-known.ts';

/** Every study of a patient, in one reply. */
export const allStudies = { page: 1, ppage: 500 } as const;
const longestAccession = 16;

interface StudyFormProps {
  readonly study: Study;
  readonly onSaved: () => void;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadTheirs: () => void;
}

const StudyForm = ({ study, onSaved, onDirty, onCancel, onLoadTheirs }: StudyFormProps) => {
  const { t } = useTranslation(['edit', 'new-patient']);
  const reading = useReading();
  const [min, max] = bounds.description;
  const form = useForm({
    initialValues: {
      description: study.description,
      studyDate: study.studyDate ?? '',
      accessionNumber: study.accessionNumber ?? '',
    },
    validate: {
      description: (value) => {
        const length = value.trim().length;
        if (length === 0) return t('new-patient:required');
        return length >= min && length <= max ? null : t('new-patient:length', { min, max });
      },
      studyDate: (value) => (value === '' || dateOnly.safeParse(value).success ? null : t('new-patient:dateInvalid')),
      accessionNumber: (value) =>
        value.trim().length > longestAccession ? t('new-patient:length', { min: 0, max: longestAccession }) : null,
    },
  });
  const { sending, submit } = useSending(form, onDirty);
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={submit(async (values) => {
        await reading.updateStudy({
          id: study.id,
          version: study.version,
          description: values.description.trim(),
          studyDate: values.studyDate || null,
          accessionNumber: values.accessionNumber.trim() || null,
        });
        onSaved();
      })}
    >
      <TextInput
        label={t('description')}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('description')}
      />
      <div className={classes.pair}>
        <TextInput
          label={t('studyDate')}
          description={t('new-patient:dateInvalid')}
          placeholder="2026-04-23"
          autoComplete="off"
          {...form.getInputProps('studyDate')}
        />
        <TextInput
          label={t('accessionNumber')}
          description={t('accessionHelp')}
          autoComplete="off"
          {...form.getInputProps('accessionNumber')}
        />
      </div>
      <FormEnd sending={sending} submit={t('save')} onCancel={onCancel} onLoadTheirs={onLoadTheirs} />
    </form>
  );
};

/** Edits what a study is called, its day and its number in the referrer's system. */
export const EditStudy = ({ study, onClose }: { study: Study; onClose: () => void }) => {
  const { t } = useTranslation('edit');
  const reading = useReading();
  const [dirty, setDirty] = useState(false);
  const { known, edition, loadTheirs } = useKnown(
    study,
    () => reading.studies(study.patientId, allStudies),
    ({ data }) => data.find(({ id }) => id === study.id),
  );
  return (
    <EditModal title={t('edit-study')} dirty={dirty} onClose={onClose}>
      {(leave) => (
        <StudyForm
          key={edition}
          study={known}
          onSaved={onClose}
          onDirty={setDirty}
          onCancel={leave}
          onLoadTheirs={loadTheirs}
        />
      )}
    </EditModal>
  );
};
