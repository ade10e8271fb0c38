import { Button, Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Study } from '../../../contract/studies.ts';
import type { Viewset } from '../../../contract/viewsets.ts';
import { type DraftSubject, draftKey, useDrafts } from '../app/drafts-context.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { offeredMount, unmountedImages } from '../forms/offered-mount.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { EditModal } from './edit-modal.tsx';
import { maxNameLength } from './edit-viewset.tsx';
import classes from './new-viewset.module.css';
import { OwnLayoutFields, StudyChoice, TemplateChoice } from './new-viewset-fields.tsx';
import { firstLayout, slotsOf } from './own-layout.rules.ts';
import { TemplateFile } from './template-file.tsx';

const content = z.object({
  way: z.enum(['templates', 'own']),
  picked: z.string().nullable(),
  layout: z.object({
    rows: z.number(),
    columns: z.number(),
    gapPercent: z.number(),
    isPortrait: z.boolean(),
  }),
  keep: z.boolean(),
  typedName: z.string().nullable(),
  inNewStudy: z.boolean(),
  placesImages: z.boolean().optional(),
});

/** Input of the new-mount dialog. */
type NewViewsetChoice = z.infer<typeof content>;

/** Returns the stored draft of a new mount, or null, and functions to save and drop it. */
const useNewViewsetDraft = (patientId: string, study: Study | null) => {
  const drafts = useDrafts();
  const what: DraftSubject = { kind: 'new-viewset', name: '', patientId, studyUid: study?.uid ?? null };
  const key = draftKey(what, patientId);
  const [stored] = useState(() => content.safeParse(drafts.find(key)?.content).data ?? null);
  useEffect(() => drafts.markInUse(key), [drafts, key]);
  useEffect(() => {
    if (drafts.resumed() === key) drafts.resume(null);
  }, [drafts, key]);
  return {
    stored,
    save: (choice: NewViewsetChoice) =>
      drafts.save({ key, place: window.location.pathname + window.location.search, what, content: choice }),
    drop: () => drafts.drop(key),
  };
};

interface NewViewsetProps {
  readonly patientId: string;
  readonly customerId: string;
  readonly study: Study | null;
  /** Reasons why a template cannot be saved and a study cannot be created; null when allowed. */
  readonly disabledReasons: { readonly template: string | null; readonly study: string | null };
  readonly onClose: () => void;
  readonly onMade: (viewset: Viewset) => void;
}

const sources = ['templates', 'own'] as const;

/** Creates a mount from a template or from rows and columns. */
export const NewViewset = ({ patientId, customerId, study, disabledReasons, onClose, onMade }: NewViewsetProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  const failureText = useRecordFailureText();
  const queries = useAppQueries();
  const query = useQuery(queries.templates(customerId));
  const { stored, save: saveDraft, drop } = useNewViewsetDraft(patientId, study);
  const [source, setSource] = useState<(typeof sources)[number]>(stored?.way ?? 'templates');
  const [filter, setFilter] = useState('');
  const [picked, setPicked] = useState<string | null>(stored?.picked ?? null);
  const [layout, setLayout] = useState(stored?.layout ?? firstLayout);
  const [isTemplate, setIsTemplate] = useState(stored?.keep ?? false);
  const [typedName, setTypedName] = useState<string | null>(stored?.typedName ?? null);
  const [inNewStudy, setInNewStudy] = useState(stored?.inNewStudy ?? study === null);
  const [placesImages, setPlacesImages] = useState(stored?.placesImages ?? study?.viewsets.length === 0);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const search = filter.trim().toLocaleLowerCase();
  const listed = (query.data ?? []).filter(({ name }) => name.toLocaleLowerCase().includes(search));
  const images = useMemo(() => (study ? unmountedImages(study) : []), [study]);
  const fitting = useMemo(() => offeredMount(images, query.data ?? [])?.template.uuid, [images, query.data]);
  const templateOf = (id: string | null | undefined) => listed.find(({ uuid }) => uuid === id);
  const template = templateOf(picked) ?? templateOf(fitting) ?? listed[0] ?? null;
  const mayPlace = !inNewStudy && images.length > 0;
  const isOwn = source === 'own';
  const ownName = t('ownName', { rows: layout.rows, columns: layout.columns });
  const name = typedName ?? (isOwn ? ownName : (template?.name ?? ''));
  const isNameGood = name.trim().length > 0 && name.trim().length <= maxNameLength;
  const hasStudy = !inNewStudy || disabledReasons.study === null;
  const ready = isNameGood && hasStudy && (isOwn || template !== null);

  const close = () => {
    drop();
    onClose();
  };
  const make = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      const templateName =
        isOwn && isTemplate
          ? await queries.createTemplate({ customerId, name: name.trim().slice(0, 100), viewSetItems: slotsOf(layout) })
          : null;
      const templateUUID = isOwn ? (templateName?.uuid ?? null) : (template?.uuid ?? null);
      const made = await queries.createViewset({
        patientUID: patientId,
        currentStudyUID: inNewStudy ? null : (study?.uid ?? null),
        currentViewsetUID: null,
        name: name.trim(),
        ...(templateUUID ? { templateUUID } : { viewSetItems: slotsOf(layout) }),
        ...(mayPlace && placesImages && { placeImages: true }),
      });
      close();
      onMade(made);
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
      setBusy(false);
    }
  };
  const dirty = typedName !== null || (isOwn && layout !== firstLayout);
  const saveChoice = useEffectEvent(saveDraft);
  useEffect(() => {
    if (dirty) saveChoice({ way: source, picked, layout, keep: isTemplate, typedName, inNewStudy, placesImages });
  }, [dirty, source, picked, layout, isTemplate, typedName, inNewStudy, placesImages]);
  return (
    <EditModal title={t('new-viewset')} size={880} dirty={dirty} onClose={close}>
      {(leave) => (
        <form
          className={classes.dialog}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void make();
          }}
        >
          <div className={classes.ways}>
            <SegmentedControl
              aria-label={t('layout')}
              value={source}
              onChange={(value) => setSource(sources.find((known) => known === value) ?? 'templates')}
              data={sources.map((value) => ({ value, label: t(value) }))}
            />
            {!isOwn && (
              <TextInput
                className={classes.filter}
                aria-label={t('filter')}
                placeholder={t('filter')}
                autoComplete="off"
                data-autofocus
                value={filter}
                onChange={(event) => setFilter(event.currentTarget.value)}
              />
            )}
          </div>
          <div className={classes.content}>
            {isOwn ? (
              <OwnLayoutFields
                layout={layout}
                isTemplate={isTemplate}
                templateDisabledReason={disabledReasons.template}
                onChange={setLayout}
                onTemplateChange={setIsTemplate}
              />
            ) : (
              <TemplateChoice
                templates={query.data ? listed : null}
                chosen={template}
                error={query.isError ? query.error : null}
                onRetry={() => void query.refetch()}
                onChoose={setPicked}
                onTake={() => void make()}
              />
            )}
          </div>
          {!isOwn && (
            <TemplateFile
              customerId={customerId}
              template={template}
              importDisabledReason={disabledReasons.template}
              onImported={({ uuid }) => {
                setFilter('');
                setPicked(uuid);
              }}
            />
          )}
          <div className={classes.foot}>
            <TextInput
              label={t('name')}
              required
              autoComplete="off"
              maxLength={maxNameLength}
              value={name}
              onChange={(event) => setTypedName(event.currentTarget.value)}
            />
            <StudyChoice
              study={study}
              inNew={inNewStudy}
              newDisabledReason={disabledReasons.study}
              onChange={setInNewStudy}
            />
          </div>
          {mayPlace && (
            <Checkbox
              label={t('placeImages', { count: images.length })}
              checked={placesImages}
              onChange={({ currentTarget }) => setPlacesImages(currentTarget.checked)}
            />
          )}
          <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
          <div className={classes.buttons}>
            <Button variant="default" onClick={leave}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={busy} disabled={!ready}>
              {t('make')}
            </Button>
          </div>
        </form>
      )}
    </EditModal>
  );
};
