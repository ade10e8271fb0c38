import { Button, SegmentedControl, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Study } from '../../../contract/studies.ts';
import type { Template, Viewset } from '../../../contract/viewsets.ts';
import { TemplateGrid } from '../forms/template-grid.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../parts/icon-alert.tsx';
import { toast } from '../parts/toast.ts';
import { failureOfQuery, useReading } from '../reading.tsx';
import { EditModal } from './edit-modal.tsx';
import { longestName } from './edit-viewset.tsx';
import classes from './new-viewset.module.css';
import { useNewViewsetDraft } from './new-viewset-draft.ts';
import { firstLayout, slotsOf } from './own-layout.rules.ts';
import { OwnLayoutFields } from './own-layout.tsx';
import { StudyChoice } from './study-choice.tsx';

interface NewViewsetProps {
  readonly patientId: string;
  readonly customerId: string;
  readonly study: Study | null;
  /** Why a layout cannot be kept as a template, and why no study can be made; null when they can. */
  readonly barred: { readonly template: string | null; readonly study: string | null };
  readonly onClose: () => void;
  readonly onMade: (viewset: Viewset) => void;
}

const ways = ['templates', 'own'] as const;

/** A new mount: from a template, or of rows and columns. */
export const NewViewset = ({ patientId, customerId, study, barred, onClose, onMade }: NewViewsetProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  const failureText = useRecordFailureText();
  const reading = useReading();
  const query = useQuery(reading.templates(customerId));
  const { kept, keep: keepDraft, drop } = useNewViewsetDraft(patientId, study);
  const [way, setWay] = useState<(typeof ways)[number]>(kept?.way ?? 'templates');
  const [filter, setFilter] = useState('');
  const [picked, setPicked] = useState<string | null>(kept?.picked ?? null);
  const [layout, setLayout] = useState(kept?.layout ?? firstLayout);
  const [keep, setKeep] = useState(kept?.keep ?? false);
  const [typedName, setTypedName] = useState<string | null>(kept?.typedName ?? null);
  const [inNewStudy, setInNewStudy] = useState(kept?.inNewStudy ?? study === null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const word = filter.trim().toLocaleLowerCase();
  const listed = (query.data ?? []).filter(({ name }) => name.toLocaleLowerCase().includes(word));
  const template = listed.find(({ uuid }) => uuid === picked) ?? listed[0] ?? null;
  const isOwn = way === 'own';
  const ownName = t('ownName', { rows: layout.rows, columns: layout.columns });
  const name = typedName ?? (isOwn ? ownName : (template?.name ?? ''));
  const isNameGood = name.trim().length > 0 && name.trim().length <= longestName;
  const hasStudy = !inNewStudy || barred.study === null;
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
      const kept =
        isOwn && keep
          ? await reading.createTemplate({ customerId, name: name.trim().slice(0, 100), viewSetItems: slotsOf(layout) })
          : null;
      const templateUUID = isOwn ? (kept?.uuid ?? null) : (template?.uuid ?? null);
      const made = await reading.createViewset({
        patientUID: patientId,
        currentStudyUID: inNewStudy ? null : (study?.uid ?? null),
        currentViewsetUID: null,
        name: name.trim(),
        ...(templateUUID ? { templateUUID } : { viewSetItems: slotsOf(layout) }),
      });
      close();
      onMade(made);
    } catch (error) {
      setFailure(failureText(failureOfQuery(error)));
      setBusy(false);
    }
  };
  const favor = ({ uuid }: Template, isFavorite: boolean) => {
    reading.favorTemplate({ uuid, isFavorite }).catch((error: unknown) => {
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close: t('shell:close') });
    });
  };

  const grid = () => {
    if (query.isError)
      return (
        <div className={classes.said}>
          <IconAlert>{failureText(failureOfQuery(query.error))}</IconAlert>
          <Button variant="default" onClick={() => void query.refetch()}>
            {t('shell:retry')}
          </Button>
        </div>
      );
    if (!query.data)
      return (
        <div className={classes.grid} aria-busy="true">
          {Array.from({ length: 8 }, (_, index) => index).map((index) => (
            <Skeleton key={index} height={148} />
          ))}
        </div>
      );
    if (listed.length === 0) return <p className={classes.said}>{t('noTemplate')}</p>;
    return (
      <TemplateGrid
        templates={listed}
        chosen={template?.uuid ?? null}
        onChoose={(card) => setPicked(card?.uuid ?? null)}
        onTake={() => void make()}
        onFavor={favor}
      />
    );
  };
  const dirty = typedName !== null || (isOwn && layout !== firstLayout);
  const keepChoice = useRef(keepDraft);
  useEffect(() => {
    keepChoice.current = keepDraft;
  });
  useEffect(() => {
    if (dirty) keepChoice.current({ way, picked, layout, keep, typedName, inNewStudy });
  }, [dirty, way, picked, layout, keep, typedName, inNewStudy]);
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
              value={way}
              onChange={(value) => setWay(ways.find((known) => known === value) ?? 'templates')}
              data={ways.map((value) => ({ value, label: t(value) }))}
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
          <div className={classes.room}>
            {isOwn ? (
              <OwnLayoutFields
                layout={layout}
                keep={keep}
                keepBarred={barred.template}
                onChange={setLayout}
                onKeep={setKeep}
              />
            ) : (
              grid()
            )}
          </div>
          <div className={classes.foot}>
            <TextInput
              label={t('name')}
              required
              autoComplete="off"
              maxLength={longestName}
              value={name}
              onChange={(event) => setTypedName(event.currentTarget.value)}
            />
            <StudyChoice study={study} inNew={inNewStudy} newBarred={barred.study} onChange={setInNewStudy} />
          </div>
          <div aria-live="assertive">{failure && <IconAlert>{failure}</IconAlert>}</div>
          <div className={classes.answers}>
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
