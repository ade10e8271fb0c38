import { Loader, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import classes from '../forms/form.module.css';
import { FormEnd } from '../forms/form-end.tsx';
import { TakenUpNote } from '../forms/taken-up-note.tsx';
import { type FormDraft, useKeptDraft } from '../forms/use-kept-draft.ts';
import { useKnown } from '../forms/use-known.ts';
import { useSending } from '../forms/use-sending.ts';
import { type DraftMatter, useDrafts } from '../kept-drafts.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { failureOfQuery, useReading } from '../reading.tsx';
import { EditModal } from './edit-modal.tsx';

/** Characters of a mount's name. */
export const longestName = 200;

const viewsetDraftKey = (viewsetId: string) => `edit-viewset/${viewsetId}`;

interface ViewsetFormProps {
  readonly viewset: Viewset;
  readonly onDirty: (dirty: boolean) => void;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

const ViewsetForm = ({ viewset, onDirty, onSaved, onCancel }: ViewsetFormProps) => {
  const reading = useReading();
  const drafts = useDrafts();
  const { viewSetUuid: viewsetId, patientId, name } = viewset;
  const what: DraftMatter = { kind: 'edit-viewset', name, patientId, viewsetId };
  const key = viewsetDraftKey(viewsetId);
  const { known, edition, loadTheirs } = useKnown(
    viewset,
    () => reading.viewset(viewset.viewSetUuid),
    (theirs) => theirs,
  );
  return (
    <ViewsetFields
      key={edition}
      viewset={known}
      onDirty={onDirty}
      onSaved={onSaved}
      onCancel={onCancel}
      onLoadTheirs={() => {
        drafts.drop(key);
        loadTheirs();
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
  onLoadTheirs,
  draft,
}: ViewsetFormProps & { readonly onLoadTheirs: () => void; readonly draft: FormDraft }) => {
  const { t } = useTranslation(['edit', 'new-patient']);
  const reading = useReading();
  const form = useForm({
    initialValues: { name: viewset.name, comments: viewset.comments ?? '' },
    validate: {
      name: (value) => {
        const length = value.trim().length;
        if (length === 0) return t('new-patient:required');
        return length <= longestName ? null : t('new-patient:length', { min: 1, max: longestName });
      },
      comments: (value) =>
        value.trim().length > bounds.description[1]
          ? t('new-patient:length', { min: 0, max: bounds.description[1] })
          : null,
    },
  });
  const { takenUp, giveUp } = useKeptDraft(draft, form);
  const { sending, submit } = useSending(form, onDirty, undefined, useRecordFailureText());
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={submit(async ({ name, comments }) => {
        const { viewSetUuid, version } = viewset;
        await reading.updateViewset({ viewSetUuid, version, name: name.trim(), comments: comments.trim() || null });
        onSaved();
      })}
    >
      <TakenUpNote takenUp={takenUp} nameOf={(field) => t(field)} onGiveUp={giveUp} />
      <TextInput label={t('name')} required data-autofocus autoComplete="off" {...form.getInputProps('name')} />
      <Textarea label={t('comments')} autosize minRows={2} maxRows={5} {...form.getInputProps('comments')} />
      <FormEnd sending={sending} submit={t('save')} onCancel={onCancel} onLoadTheirs={onLoadTheirs} />
    </form>
  );
};

/** Edits the name of a mount and what is to be said of it. */
export const EditViewset = ({ viewsetId, onClose }: { viewsetId: string; onClose: () => void }) => {
  const { t } = useTranslation('edit');
  const failureText = useRecordFailureText();
  const drafts = useDrafts();
  const close = () => {
    drafts.drop(viewsetDraftKey(viewsetId));
    onClose();
  };
  const [dirty, setDirty] = useState(false);
  const query = useQuery({ ...useReading().viewset(viewsetId), staleTime: 0 });
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
