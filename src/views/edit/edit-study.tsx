import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { Study } from '../../../contract/studies.ts';
import classes from '../forms/form.module.css';
import { FormEnd } from '../forms/form-end.tsx';
import { TakenUpNote } from '../forms/taken-up-note.tsx';
import { type FormDraft, useKeptDraft } from '../forms/use-kept-draft.ts';
import { useKnown } from '../forms/use-known.ts';
import { useSending } from '../forms/use-sending.ts';
import { type DraftMatter, draftKey, useDrafts } from '../kept-drafts.ts';
import { useDateWords } from '../language/date-words.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { DateField } from '../parts/date-field.tsx';
import { useReading } from '../reading.tsx';
import { EditModal } from './edit-modal.tsx';

/** Every study of a patient, in one reply. */
export const allStudies = { page: 1, ppage: 500 } as const;
const longestAccession = 16;

interface StudyFormProps {
  readonly study: Study;
  readonly onSaved: () => void;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadTheirs: () => void;
  readonly draft: FormDraft;
}

const StudyForm = ({ study, onSaved, onDirty, onCancel, onLoadTheirs, draft }: StudyFormProps) => {
  const { t } = useTranslation(['edit', 'new-patient']);
  const dates = useDateWords();
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
      studyDate: dates.problem,
      accessionNumber: (value) =>
        value.trim().length > longestAccession ? t('new-patient:length', { min: 0, max: longestAccession }) : null,
    },
  });
  const { takenUp, giveUp } = useKeptDraft(draft, form);
  const { sending, submit } = useSending(form, onDirty, undefined, useRecordFailureText());
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
      <TakenUpNote takenUp={takenUp} nameOf={(field) => t(field)} onGiveUp={giveUp} />
      <TextInput
        label={t('description')}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('description')}
      />
      <div className={classes.pair}>
        <DateField
          label={t('studyDate')}
          help={dates.shape}
          words={dates}
          {...form.getInputProps('studyDate')}
          value={form.values.studyDate}
          onOther={(typed) => form.setFieldValue('studyDate', typed)}
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
  const drafts = useDrafts();
  const [dirty, setDirty] = useState(false);
  const { known, edition, loadTheirs } = useKnown(
    study,
    () => reading.studies(study.patientId, allStudies),
    ({ data }) => data.find(({ id }) => id === study.id),
  );
  const name = [study.studyDate, study.description].filter(Boolean).join(' ');
  const what: DraftMatter = { kind: 'edit-study', name, patientId: study.patientId, studyId: study.id };
  const key = draftKey(what, study.id);
  const close = () => {
    drafts.drop(key);
    onClose();
  };
  return (
    <EditModal title={t('edit-study')} dirty={dirty} onClose={close}>
      {(leave) => (
        <StudyForm
          key={edition}
          study={known}
          onSaved={close}
          onDirty={setDirty}
          onCancel={leave}
          onLoadTheirs={() => {
            drafts.drop(key);
            loadTheirs();
          }}
          draft={{ key, what }}
        />
      )}
    </EditModal>
  );
};
