import { Button, SegmentedControl } from '@mantine/core';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { type Employee, employeeSorts } from '../../../contract/users.ts';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import type { UsersScope } from '../../services/queries.ts';
import { useListPage } from '../app/list-page.ts';
import { type ListRequest, useListUrlState } from '../app/list-url-state.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { optional, positive, useUrlState } from '../app/url-state.ts';
import { PolicyDrawer } from '../forms/policy-drawer.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { ListFooter } from '../language/list-footer.tsx';
import { useListPlaceholder } from '../language/list-placeholder.tsx';
import { ListToolbar } from '../language/list-toolbar.tsx';
import { useTableLabels } from '../language/table-labels.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { useColumnChoice } from '../ui/record-table/columns.ts';
import { RecordTable } from '../ui/record-table/record-table.tsx';
import { useSelection } from '../ui/record-table/selection.ts';
import { toast } from '../ui/toast.ts';
import { type ClinicCommand, ClinicMenu } from './clinic-menu.tsx';
import { nameOf, UserMenu, type UserSort, useUserColumns } from './user-columns.tsx';
import { UserDialogs, type UserRequest } from './user-dialogs.tsx';
import { type Membership, UserDrawer } from './user-drawer.tsx';
import { type UserAction, useUserRights } from './user-rights.ts';
import classes from './users.module.css';

interface UsersPageProps {
  readonly session: SessionActor;
  readonly list: UsersScope;
  readonly title: string;
  /** Page size. */
  readonly perPage: number;
  /** Clinic of users added here; undefined: none can be added. */
  readonly addTo?: (NonNullable<Membership> & { readonly name: string }) | null;
}

/** Loaded when it is opened, with the parser of files. */
const ImportUsers = lazyComponent(async () => (await import('./import/import-users.tsx')).ImportUsers);
const DirectoryDialog = lazyComponent(async () => (await import('./directory/directory-dialog.tsx')).DirectoryDialog);
const DicomDevicesDialog = lazyComponent(
  async () => (await import('./dicom-devices/dicom-devices-dialog.tsx')).DicomDevicesDialog,
);
const ServiceAccountsDialog = lazyComponent(
  async () => (await import('./service-accounts/service-accounts-dialog.tsx')).ServiceAccountsDialog,
);

const statuses = ['active', 'inactive'] as const;
/** The page belongs to the list; another status shows its first page. */
const usersSchema = { status: optional(z.enum(statuses)), page: positive(1) };

/** Lists users with their actions. Give each list its own key. */
export const UsersPage = ({ session, list: users, title, perPage, addTo }: UsersPageProps) => {
  const { t } = useTranslation(['users', 'shell']);
  const administration = useAdministration();
  const failureText = useFailureText();
  const rights = useUserRights(session);
  const [{ status }, changeUrl, showAll] = useUrlState(usersSchema);
  const list = useListUrlState<UserSort>({ sorts: employeeSorts, perPage });
  const read = (query: ListRequest<UserSort>) => administration.users(users, { ...query, ...(status && { status }) });
  const found = useListPage(list, read);
  const columns = useColumnChoice('people-columns', useUserColumns(users === 'all', rights.ownId, list.q));
  const selection = useSelection<Employee>();
  const [texts, instead] = [useTableLabels(), useListPlaceholder()];
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<{ readonly user: Employee | null; readonly clinic: Membership } | null>(null);
  const [command, setCommand] = useState<ClinicCommand | null>(null);
  const [request, setRequest] = useState<UserRequest | null>(null);
  const close = t('shell:close');

  const activate = async (user: Employee) => {
    try {
      await administration.changeStatus({ id: user.id, status: true });
      toast({ tone: 'good', text: t('activated', { name: nameOf(user) }), close });
    } catch (error) {
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close });
    }
  };
  const act = (user: Employee, action: UserAction) => {
    const reason = rights.disabledReason(action, user);
    if (reason !== null) return toast({ tone: 'bad', text: reason, close });
    if (action === 'edit') return setOpen({ user, clinic: user.customer });
    if (action === 'status' && !user.isActive) return void activate(user);
    setRequest({ act: action, user });
  };
  const add = (leading: ReactNode) =>
    addTo !== undefined && (
      <Button
        leftSection={leading}
        disabled={rights.addDisabledReason !== null}
        title={rights.addDisabledReason ?? undefined}
        onClick={() => setOpen({ user: null, clinic: addTo })}
      >
        {t(addTo ? 'add' : 'addSuper')}
      </Button>
    );
  const isNarrowed = list.q !== '' || status !== null;
  const empty = isNarrowed ? (
    <Notice
      title={t('noneFound')}
      text={t('noneFoundText')}
      icon={<IconUsers />}
      action={
        <Button variant="default" onClick={showAll}>
          {t('showAll')}
        </Button>
      }
    />
  ) : (
    <Notice title={t('noneYet')} text={t('noneYetText')} icon={<IconUsers />} action={add(null)} />
  );
  const rows = found.rows?.filter(({ id }) => !gone.has(id)) ?? null;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageHeading>{title}</PageHeading>
      </div>
      <ListToolbar
        list={list}
        searchLabel={t('find')}
        columns={columns}
        csv={{ fileName: 'dentarium-users', read, columns, chosen: selection.chosen }}
        filters={
          <SegmentedControl
            aria-label={t('filterStatus')}
            value={status ?? 'all'}
            onChange={(choice) => changeUrl({ status: usersSchema.status.parse(choice), page: 1 })}
            data={(['all', ...statuses] as const).map((value) => ({ value, label: t(value) }))}
          />
        }
      >
        {add(<IconUserPlus aria-hidden="true" />)}
        {addTo && (
          <ClinicMenu
            clinicName={addTo.name}
            canAddUsers={rights.addDisabledReason === null}
            canChangeClinic={rights.canChangeClinic(addTo.id)}
            onCommand={setCommand}
          />
        )}
      </ListToolbar>
      <RecordTable
        label={title}
        rows={rows}
        place={found.shownRequest}
        isStale={found.isStale}
        awaited={list.ppage}
        columns={columns.shown}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        words={texts}
        selection={selection}
        sorting={{ by: list.sort, order: list.order, onSort: (sort, order) => list.change({ sort, order }) }}
        onOpen={(user) => act(user, 'edit')}
        actions={(user) => <UserMenu user={user} rights={rights} onAct={(action) => act(user, action)} />}
        current={open?.user?.id ?? null}
        instead={instead(found, empty)}
      />
      <ListFooter
        list={list}
        reply={found.reply}
        chosen={selection.chosen.size}
        onForgetChosen={() => selection.onChange(new Map())}
      />
      {open && <UserDrawer session={session} user={open.user} clinic={open.clinic} onClose={() => setOpen(null)} />}
      {addTo && command === 'file' && (
        <Suspense>
          <ImportUsers session={session} clinic={addTo} onClose={() => setCommand(null)} />
        </Suspense>
      )}
      {addTo && command === 'directory' && (
        <Suspense>
          <DirectoryDialog clinic={addTo} onClose={() => setCommand(null)} />
        </Suspense>
      )}
      {addTo && command === 'services' && (
        <Suspense>
          <ServiceAccountsDialog
            clinic={addTo}
            offersClinics={rights.canListClinics}
            onClose={() => setCommand(null)}
          />
        </Suspense>
      )}
      {addTo && command === 'devices' && (
        <Suspense>
          <DicomDevicesDialog clinic={addTo} onClose={() => setCommand(null)} />
        </Suspense>
      )}
      {addTo && command === 'policy' && (
        <PolicyDrawer owner={{ kind: 'clinic', id: addTo.id, name: addTo.name }} onClose={() => setCommand(null)} />
      )}
      {request && (
        <UserDialogs
          request={request}
          hasTwoFactor={rights.hasTwoFactor}
          hasPasskey={rights.hasPasskey}
          onClose={() => setRequest(null)}
          onGone={(id) => setGone(new Set([...gone, id]))}
        />
      )}
    </div>
  );
};
