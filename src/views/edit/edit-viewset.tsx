import { Loader, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import { type DraftSubject, useDrafts } from '../app/drafts-context.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import classes from '../forms/form.module.css';
import { FormFooter } from '../forms/form-footer.tsx';
import { type FormDraft, RestoredDraftNote, useStoredDraft } from '../forms/stored-draft.tsx';
import { useEditedRecord, useFormSubmit } from '../forms/use-form-submit.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { EditModal } from './edit-modal.tsx';

/** Maximum length of a mount's name. */
export const maxNameLength = 200;

const viewsetDraftKey = (viewsetId: string) => `edit-viewset/${viewsetId}`;

interface ViewsetFormProps {
  readonly viewset: Viewset;
  readonly onDirty: (dirty: boolean) => void;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

const ViewsetForm = ({ viewset, onDirty, onSaved, onCancel }: ViewsetFormProps) => {
  const queries = useAppQueries();
  const drafts = useDrafts();
  const { viewSetUuid: viewsetId, patientId, name } = viewset;
  const what: DraftSubject = { kind: 'edit-viewset', name, patientId, viewsetId };
  const key = viewsetDraftKey(viewsetId);
  const { known, formKey, loadLatest } = useEditedRecord(
    viewset,
    () => queries.viewset(viewset.viewSetUuid),
    (reply) => reply,
  );
  return (
    <ViewsetFields
      key={formKey}
      viewset={known}
      onDirty={onDirty}
      onSaved={onSaved}
      onCancel={onCancel}
      onLoadLatest={() => {
        drafts.drop(key);
        loadLatest();
      }}
      draft={{ key, what }}
    />
  );
};

const ViewsetFields = ({
  viewset,
  onDirty,
  onSaved,
  onCancel,
  onLoadLatest,
  draft,
}: ViewsetFormProps & { readonly onLoadLatest: () => void; readonly draft: FormDraft }) => {
  const { t } = useTranslation(['edit', 'new-patient']);
  const queries = useAppQueries();
  const form = useForm({
    initialValues: { name: viewset.name, comments: viewset.comments ?? '' },
    validate: {
      name: (value) => {
        const length = value.trim().length;
        if (length === 0) return t('new-patient:required');
        return length <= maxNameLength ? null : t('new-patient:length', { min: 1, max: maxNameLength });
      },
      comments: (value) =>
        value.trim().length > bounds.description[1]
          ? t('new-patient:length', { min: 0, max: bounds.description[1] })
          : null,
    },
  });
  const { restoredDraft, discard } = useStoredDraft(draft, form);
  const { sending, submit } = useFormSubmit(form, onDirty, undefined, useRecordFailureText());
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={submit(async ({ name, comments }) => {
        const { viewSetUuid, version } = viewset;
        await queries.updateViewset({ viewSetUuid, version, name: name.trim(), comments: comments.trim() || null });
        onSaved();
      })}
    >
      <RestoredDraftNote restoredDraft={restoredDraft} nameOf={(field) => t(field)} onDiscardDraft={discard} />
      <TextInput label={t('name')} required data-autofocus autoComplete="off" {...form.getInputProps('name')} />
      <Textarea label={t('comments')} autosize minRows={2} maxRows={5} {...form.getInputProps('comments')} />
      <FormFooter sending={sending} submit={t('save')} onCancel={onCancel} onLoadLatest={onLoadLatest} />
    </form>
  );
};

/** Edits the name and comment of a mount. */
export const EditViewset = ({ viewsetId, onClose }: { viewsetId: string; onClose: () => void }) => {
  const { t } = useTranslation('edit');
  const failureText = useRecordFailureText();
  const drafts = useDrafts();
  const close = () => {
    drafts.drop(viewsetDraftKey(viewsetId));
    onClose();
  };
  const [dirty, setDirty] = useState(false);
  const query = useQuery({ ...useAppQueries().viewset(viewsetId), staleTime: 0 });
  const isFresh = query.isFetchedAfterMount;
  return (
    <EditModal title={t('edit-viewset')} dirty={dirty} onClose={close}>
      {(leave) => (
        <>
          {query.isError && <IconAlert>{failureText(failureOfQuery(query.error))}</IconAlert>}
          {!query.isError && !isFresh && <Loader size="sm" />}
          {isFresh && query.data && (
            <ViewsetForm viewset={query.data} onDirty={setDirty} onSaved={close} onCancel={leave} />
          )}
        </>
      )}
    </EditModal>
  );
};
