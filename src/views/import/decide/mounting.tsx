import { Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import type { Template } from '../../../../contract/viewsets.ts';
import { failureOfQuery, useAppQueries } from '../../app/queries-context.tsx';
import { QueryFailed } from '../../forms/query-failed.tsx';
import { TemplateGrid } from '../../forms/template-grid.tsx';
import { useFailureText } from '../../language/failure-text.ts';
import { toast } from '../../ui/toast.ts';
import classes from './decide.module.css';
import { Mount } from './mount.tsx';
import { templatesFor } from './study.rules.ts';
import type { ShownDecision } from './use-decision.ts';

interface MountingProps {
  readonly study: ImportStudy;
  readonly files: readonly ImportFile[];
  readonly clinicId: string;
  readonly shown: ShownDecision;
}

/** Number of templates shown before "show all": "no mount" and the first templates, favourites first. */
const fewTemplates = 5;

/** Chooses the template of a study's mount and assigns files to its slots. */
export const Mounting = ({ study, files, clinicId, shown }: MountingProps) => {
  const { t } = useTranslation(['import-decide', 'shell']);
  const queries = useAppQueries();
  const failureText = useFailureText();
  const query = useQuery(queries.templates(clinicId));
  const { decision, placing, decide } = shown;
  const [choosing, setChoosing] = useState(false);
  const [all, setAll] = useState(false);
  const [filter, setFilter] = useState('');
  const [pointed, setPointed] = useState<string | null | undefined>(undefined);
  const templates = templatesFor(query.data ?? [], study, files.length);
  const chosen = templates.find(({ uuid }) => uuid === decision.viewSetTemplateUuid) ?? null;
  const take = (template: Template | null) => {
    setChoosing(false);
    setPointed(undefined);
    const uuid = template?.uuid ?? null;
    if (uuid === decision.viewSetTemplateUuid) return;
    // Without links the server places the files automatically.
    decide(uuid === null ? { viewSetTemplateUuid: null, imagesHashMap: {} } : { viewSetTemplateUuid: uuid });
  };

  const favor = (uuid: string, isFavorite: boolean) =>
    void queries
      .favorTemplate({ uuid, isFavorite })
      .catch((error: unknown) =>
        toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close: t('shell:close') }),
      );

  if (query.isError)
    return (
      <div className={classes.into}>
        <QueryFailed error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  if (!query.data) return <Skeleton height={148} />;
  if (chosen && !choosing)
    return (
      <>
        <div className={classes.template}>
          <b>{chosen.name}</b>
          <Button variant="default" size="compact-md" onClick={() => setChoosing(true)}>
            {t('changeTemplate')}
          </Button>
          <Button variant="subtle" size="compact-md" onClick={() => take(null)}>
            {t('noTemplate')}
          </Button>
        </div>
        <Mount
          key={chosen.uuid}
          template={chosen}
          files={files}
          links={decision.imagesHashMap}
          placing={placing}
          onLinks={(imagesHashMap) => decide({ imagesHashMap })}
          onAutoPlace={() => decide({ viewSetTemplateUuid: chosen.uuid })}
        />
      </>
    );
  const search = filter.trim().toLocaleLowerCase();
  const fitting = templates.filter(({ name }) => name.toLocaleLowerCase().includes(search));
  const listed = all ? fitting : fitting.slice(0, fewTemplates);
  return (
    <>
      {study.alreadyHasViewSet && <p className={classes.dimmed}>{t('alreadyMounted')}</p>}
      {all && (
        <TextInput
          aria-label={t('findTemplate')}
          placeholder={t('findTemplate')}
          autoComplete="off"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <TemplateGrid
        templates={listed}
        none={{ name: t('noTemplate'), text: t('notMounted') }}
        chosen={pointed === undefined ? decision.viewSetTemplateUuid : pointed}
        onChoose={(template) => setPointed(template?.uuid ?? null)}
        onPress={take}
        onTake={take}
        onFavor={({ uuid }, isFavorite) => favor(uuid, isFavorite)}
      />
      {!all && fitting.length > listed.length && (
        <Button variant="subtle" onClick={() => setAll(true)}>
          {t('allTemplates', { count: fitting.length })}
        </Button>
      )}
    </>
  );
};
