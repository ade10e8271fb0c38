import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { Study } from '../../../contract/studies.ts';
import { type DraftSubject, draftKey, useDrafts } from '../app/drafts-context.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import classes from '../forms/form.module.css';
import { FormFooter } from '../forms/form-footer.tsx';
import { type FormDraft, RestoredDraftNote, useStoredDraft } from '../forms/stored-draft.tsx';
import { useEditedRecord, useFormSubmit } from '../forms/use-form-submit.ts';
import { DateInput, useDateProblem } from '../language/date-input.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { allStudies } from './all-studies.ts';
import { Changes } from './changes.tsx';
import { EditModal } from './edit-modal.tsx';

const maxAccessionLength = 16;

interface StudyFormProps {
  readonly study: Study;
  readonly onSaved: () => void;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadLatest: () => void;
  readonly draft: FormDraft;
}

const StudyForm = ({ study, onSaved, onDirty, onCancel, onLoadLatest, draft }: StudyFormProps) => {
  const { t } = useTranslation(['edit', 'new-patient']);
  const dateProblem = useDateProblem();
  const queries = useAppQueries();
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
      studyDate: dateProblem,
      accessionNumber: (value) =>
        value.trim().length > maxAccessionLength ? t('new-patient:length', { min: 0, max: maxAccessionLength }) : null,
    },
  });
  const { restoredDraft, discard } = useStoredDraft(draft, form);
  const { sending, submit } = useFormSubmit(form, onDirty, undefined, useRecordFailureText());
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={submit(async (values) => {
        await queries.updateStudy({
          id: study.id,
          version: study.version,
          description: values.description.trim(),
          studyDate: values.studyDate || null,
          accessionNumber: values.accessionNumber.trim() || null,
        });
        onSaved();
      })}
    >
      <RestoredDraftNote restoredDraft={restoredDraft} nameOf={(field) => t(field)} onDiscardDraft={discard} />
      <TextInput
        label={t('description')}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('description')}
      />
      <div className={classes.pair}>
        <DateInput inForm label={t('studyDate')} {...form.getInputProps('studyDate')} value={form.values.studyDate} />
        <TextInput
          label={t('accessionNumber')}
          description={t('accessionHelp')}
          autoComplete="off"
          {...form.getInputProps('accessionNumber')}
        />
      </div>
      <FormFooter sending={sending} submit={t('save')} onCancel={onCancel} onLoadLatest={onLoadLatest} />
    </form>
  );
};

/** Edits the description, date and accession number of a study. */
export const EditStudy = ({ study, onClose }: { study: Study; onClose: () => void }) => {
  const { t } = useTranslation('edit');
  const queries = useAppQueries();
  const drafts = useDrafts();
  const [dirty, setDirty] = useState(false);
  const { known, formKey, loadLatest } = useEditedRecord(
    study,
    () => queries.studies(study.patientId, allStudies),
    ({ data }) => data.find(({ id }) => id === study.id),
  );
  const name = [study.studyDate, study.description].filter(Boolean).join(' ');
  const what: DraftSubject = { kind: 'edit-study', name, patientId: study.patientId, studyId: study.id };
  const key = draftKey(what, study.id);
  const close = () => {
    drafts.drop(key);
    onClose();
  };
  return (
    <EditModal title={t('edit-study')} dirty={dirty} onClose={close}>
      {(leave) => (
        <>
          <StudyForm
            key={formKey}
            study={known}
            onSaved={close}
            onDirty={setDirty}
            onCancel={leave}
            onLoadLatest={() => {
              drafts.drop(key);
              loadLatest();
            }}
            draft={{ key, what }}
          />
          <Changes subject="study" id={study.id} />
        </>
      )}
    </EditModal>
  );
};
