import { Button, SegmentedControl } from '@mantine/core';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useSelector } from '@xstate/react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type CustomerRow, customerSorts } from '../../../contract/customers.ts';
import { type SessionActor, selectMay } from '../../machines/session/session.machine.ts';
import { type ReadList, useListPage } from '../app/list-page.ts';
import { useListUrlState } from '../app/list-url-state.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { allUsersPath } from '../app/paths.ts';
import { optional, useUrlState } from '../app/url-state.ts';
import { ListFooter } from '../language/list-footer.tsx';
import { useListPlaceholder } from '../language/list-placeholder.tsx';
import { ListToolbar } from '../language/list-toolbar.tsx';
import { useTableLabels } from '../language/table-labels.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { RecordTable } from '../ui/record-table/record-table.tsx';
import { useSelection } from '../ui/record-table/selection.ts';
import { useStoredFlag, useStoredText } from '../ui/stored-state.ts';
import { ToolButton } from '../ui/tool-button.tsx';
import { ClinicMenu, useClinicActions } from './clinic-actions.tsx';
import { ClinicCard } from './clinic-card.tsx';
import { type ClinicSort, useClinicColumns } from './clinic-columns.tsx';
import { ClinicStatistics } from './clinic-statistics.tsx';
import classes from './clinics.module.css';

const views = ['table', 'bar'] as const;
/** The clinic whose details are shown beside the list. */
const besideSchema = { clinic: optional(z.guid()) };
const usualSize = 25;

/** Lists the clinics of the archive with statistics and actions. */
export const ClinicsPage = ({ session }: { readonly session: SessionActor }) => {
  const { t } = useTranslation(['clinics', 'statistics']);
  const administration = useAdministration();
  const [stored, setView] = useStoredText('clinics-view', 'table');
  const view = stored === 'bar' ? 'bar' : 'table';
  const [hasStatistics, setHasStatistics] = useStoredFlag('clinics-statistics', true);
  const [{ clinic: inCard }, changeUrl] = useUrlState(besideSchema);
  const list = useListUrlState<ClinicSort>({
    sorts: customerSorts,
    perPage: usualSize,
    ignoredParams: Object.keys(besideSchema),
  });
  const read: ReadList<CustomerRow, ClinicSort> = (query) => administration.customers(query);
  const found = useListPage(list, read);
  const columns = useClinicColumns(list.q);
  const selection = useSelection<CustomerRow>();
  const words = useTableLabels();
  const instead = useListPlaceholder();
  const showBeside = (clinic: string | null) => changeUrl({ clinic });
  const { actions, dialogs } = useClinicActions(session, {
    onAdded: (clinic) => {
      if (view === 'bar') showBeside(clinic.id);
      else list.change({ q: clinic.name.slice(0, 30) });
    },
    onGone: (clinic) => {
      if (clinic.id === inCard) showBeside(null);
      const chosen = new Map(selection.chosen);
      chosen.delete(clinic.id);
      selection.onChange(chosen);
    },
  });
  const everybody = useSelector(session, selectMay('customer.get_byid')) ? allUsersPath : null;
  const addDisabledReason = actions.disabledReason('add');
  const add = addDisabledReason === null && (
    <Button leftSection={<IconPlus aria-hidden="true" />} onClick={actions.add}>
      {t('add')}
    </Button>
  );
  const empty =
    list.q === '' ? (
      <Notice title={t('noneYet')} text={t('noneYetText')} icon={<IconBuilding />} action={add} />
    ) : (
      <Notice
        title={t('none')}
        text={t('noneText')}
        icon={<IconBuilding />}
        action={
          <Button variant="default" onClick={() => list.change({ q: '' })}>
            {t('clear')}
          </Button>
        }
      />
    );
  return (
    <div className={classes.page} data-view={view}>
      <div className={classes.head}>
        <PageHeading>{t('title')}</PageHeading>
        <p className={classes.lead}>{t('choose')}</p>
        <SegmentedControl
          className={classes.view}
          aria-label={t('view')}
          value={view}
          onChange={setView}
          data={views.map((value) => ({ value, label: t(value) }))}
        />
        <ToolButton
          label={hasStatistics ? t('statistics:hide') : t('statistics:show')}
          active={hasStatistics}
          onClick={() => setHasStatistics(!hasStatistics)}
        >
          <IconChartBar />
        </ToolButton>
        {actions.disabledReason('restore') === null && (
          <ToolButton label={t('deletedClinics')} onClick={actions.showDeleted}>
            <IconTrash />
          </ToolButton>
        )}
      </div>
      {hasStatistics && (
        <div className={classes.statistics}>
          <ClinicStatistics
            customerId={null}
            showsWeeks={view === 'table'}
            links={{
              clinics: '/customers',
              users: everybody,
              active: everybody && `${everybody}?status=active`,
              inactive: everybody && `${everybody}?status=inactive`,
              patients: () => setView('bar'),
            }}
          />
        </div>
      )}
      <ListToolbar
        list={list}
        searchLabel={t('find')}
        {...(view === 'table' && { columns })}
        csv={{ fileName: 'clinics', read, columns, chosen: selection.chosen }}
      >
        {add}
      </ListToolbar>
      <div className={classes.body}>
        <RecordTable
          label={t('title')}
          rows={found.rows}
          isStale={found.isStale}
          place={found.shownRequest}
          awaited={Math.min(list.ppage, 12)}
          columns={columns.shown}
          keyOf={(clinic) => clinic.id}
          nameOf={(clinic) => clinic.name}
          words={words}
          sorting={{ by: list.sort, order: list.order, onSort: (sort, order) => list.change({ sort, order }) }}
          selection={selection}
          onOpen={view === 'bar' ? (clinic) => showBeside(clinic.id) : actions.work}
          actions={(clinic) => <ClinicMenu clinic={clinic} actions={actions} />}
          current={view === 'bar' ? inCard : null}
          instead={instead(found, empty)}
        />
        {view === 'bar' && (
          <aside className={classes.side}>
            {inCard === null ? (
              <Notice title={t('pick')} text={t('pickText')} icon={<IconBuilding />} />
            ) : (
              <ClinicCard key={inCard} id={inCard} actions={actions} />
            )}
          </aside>
        )}
      </div>
      <ListFooter
        list={list}
        reply={found.reply}
        chosen={selection.chosen.size}
        onForgetChosen={() => selection.onChange(new Map())}
      />
      {dialogs}
    </div>
  );
};
