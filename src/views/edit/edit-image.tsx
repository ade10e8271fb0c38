import { SegmentedControl, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bounds } from '../../../contract/bounds.ts';
import type { ImageInfo } from '../../../contract/images.ts';
import { type DraftSubject, draftKey, useDrafts } from '../app/drafts-context.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import classes from '../forms/form.module.css';
import { FormFooter } from '../forms/form-footer.tsx';
import { type FormDraft, RestoredDraftNote, useStoredDraft } from '../forms/stored-draft.tsx';
import { useEditedRecord, useFormSubmit } from '../forms/use-form-submit.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { NotationChoice } from '../language/notation-choice.tsx';
import { useToothText } from '../language/tooth-notation.ts';
import { allStudies } from './all-studies.ts';
import { EditModal } from './edit-modal.tsx';
import { ToothPicker } from './tooth-picker.tsx';

interface ImageFormProps {
  readonly patientId: string;
  readonly image: ImageInfo;
  readonly slotTeeth: readonly number[];
  readonly onSaved: () => void;
  readonly onDirty: (dirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onLoadLatest: () => void;
  readonly draft: FormDraft;
}

/** Teeth shown while the user has set none; null when only the file has them and they were overwritten. */
const followedTeeth = (image: ImageInfo, slotTeeth: readonly number[]): readonly number[] | null => {
  if (slotTeeth.length > 0) return slotTeeth;
  return image.teethSource === 'file' ? image.teeth : null;
};

const ImageForm = (props: ImageFormProps) => {
  const { patientId, image, slotTeeth, onSaved, onDirty, onCancel, onLoadLatest, draft } = props;
  const { t } = useTranslation(['edit', 'new-patient']);
  const toothText = useToothText();
  const queries = useAppQueries();
  const [, max] = bounds.description;
  const form = useForm<{ imageComment: string; teeth: readonly number[] | null }>({
    initialValues: {
      imageComment: image.imageComment ?? '',
      teeth: image.teethSource === 'user' ? image.teeth : null,
    },
    validate: {
      imageComment: (value) => (value.trim().length > max ? t('new-patient:length', { min: 0, max }) : null),
    },
  });
  const { restoredDraft, discard } = useStoredDraft(draft, form);
  const { sending, submit } = useFormSubmit(form, onDirty, undefined, useRecordFailureText());
  const followed = followedTeeth(image, slotTeeth);
  const chosen = form.values.teeth;
  const shown = chosen ?? followed ?? [];
  const choose = (teeth: readonly number[] | null) => form.setFieldValue('teeth', teeth);
  const statusText = () => {
    if (shown.length > 0) return toothText(shown.toSorted((one, other) => one - other));
    return chosen === null && followed === null ? t('teethOfFile') : t('noTeeth');
  };
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={submit(async ({ imageComment, teeth }) => {
        const { uid, version } = image;
        const body = { uid, version, imageComment: imageComment.trim() || null, teeth: teeth && [...teeth] };
        await queries.updateImage(body, patientId);
        onSaved();
      })}
    >
      <RestoredDraftNote
        restoredDraft={restoredDraft}
        nameOf={(field) => t(field === 'teeth' ? 'teeth' : 'comment')}
        textOf={(field, value) =>
          field === 'teeth' ? toothText(restoredDraft?.now.teeth ?? followed ?? []) : String(value ?? '')
        }
        onDiscardDraft={discard}
      />
      <div className={classes.form}>
        <SegmentedControl
          fullWidth
          aria-label={t('teethFrom')}
          value={chosen === null ? 'follow' : 'own'}
          onChange={(value) => choose(value === 'own' ? (chosen ?? followed ?? []) : null)}
          data={[
            { value: 'follow', label: slotTeeth.length > 0 ? t('followSlot') : t('followFile') },
            { value: 'own', label: t('ownTeeth') },
          ]}
        />
        <ToothPicker teeth={shown} isFollowing={chosen === null} onChange={choose} />
        <p aria-live="polite">{statusText()}</p>
        <NotationChoice label={t('notation')} />
      </div>
      <Textarea
        label={t('comment')}
        data-autofocus
        autosize
        minRows={2}
        maxRows={5}
        {...form.getInputProps('imageComment')}
      />
      <FormFooter sending={sending} submit={t('save')} onCancel={onCancel} onLoadLatest={onLoadLatest} />
    </form>
  );
};

interface EditImageProps {
  readonly patientId: string;
  readonly image: ImageInfo;
  readonly slotTeeth: readonly number[];
  readonly onClose: () => void;
}

/** Edits the teeth and the comment of an image. */
export const EditImage = ({ patientId, image, slotTeeth, onClose }: EditImageProps) => {
  const { t } = useTranslation('edit');
  const queries = useAppQueries();
  const drafts = useDrafts();
  const [dirty, setDirty] = useState(false);
  // When opened from the study list, the slot of the image must be looked up.
  const mounted = useQuery({
    ...queries.viewset(image.viewsetId ?? ''),
    enabled: slotTeeth.length === 0 && image.viewsetId !== null,
  });
  const mountedTeeth =
    mounted.data?.viewSetItems.find(({ activeImage }) => activeImage?.uid === image.uid)?.teeth ?? [];
  const { known, formKey, loadLatest } = useEditedRecord(
    image,
    () => queries.studies(patientId, allStudies),
    ({ data }) =>
      data
        .flatMap(({ series }) => series)
        .flatMap(({ images }) => images)
        .find(({ uid }) => uid === image.uid),
  );
  const name = image.name.trim() || String(image.number ?? image.order);
  const what: DraftSubject = { kind: 'edit-image', name, patientId, imageUid: image.uid, slotTeeth: [...slotTeeth] };
  const key = draftKey(what, image.uid);
  const close = () => {
    drafts.drop(key);
    onClose();
  };
  return (
    <EditModal title={t('edit-image')} size={680} dirty={dirty} onClose={close}>
      {(leave) => (
        <ImageForm
          key={formKey}
          patientId={patientId}
          image={known}
          slotTeeth={slotTeeth.length > 0 ? slotTeeth : mountedTeeth}
          onSaved={close}
          onDirty={setDirty}
          onCancel={leave}
          onLoadLatest={() => {
            drafts.drop(key);
            loadLatest();
          }}
          draft={{ key, what }}
        />
      )}
    </EditModal>
  );
};
