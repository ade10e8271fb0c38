import type { Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { insertPatient } from '../db/stores/patients.ts';
import { allRoles, ensureBuiltInRoles } from '../db/stores/role-store.ts';
import type { DemoClinic } from '../demo/clinic-model.ts';

const seedClinics = async (transaction: Transaction<Schema>, clinic: DemoClinic): Promise<void> => {
  const rows = clinic.customers.map((customer) => ({
    id: customer.id,
    name: customer.organisationName,
    organisation_number: customer.organisationNumber,
    customer_number: customer.customerNumber,
    address: customer.address,
    city: customer.city,
    zipcode: customer.zipcode,
    telephone: customer.telephone,
    description: customer.description,
    license: customer.license,
    proxy_use: customer.useProxy,
  }));
  await transaction
    .insertInto('customer')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Accounts of the roles that the installation has; their ids are its own. */
const seedAccounts = async (
  transaction: Transaction<Schema>,
  clinic: DemoClinic,
  hashOf: (password: string) => Promise<string>,
): Promise<void> => {
  await ensureBuiltInRoles(transaction);
  const roleIds = new Map((await allRoles(transaction)).map((role) => [role.name, role.id]));
  const passwords = [...new Set(clinic.users.map((user) => user.password))];
  const hashes = new Map(await Promise.all(passwords.map(async (text) => [text, await hashOf(text)] as const)));
  const rows = clinic.users.map((user) => ({
    id: user.id,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    personal_number: user.personalNumber,
    azure_username: user.azureUsername,
    telephone: user.telephone,
    hired_since: user.hiredSince,
    is_active: user.isActive,
    customer_id: user.customerId,
    role_id: roleIds.get(user.roleName) ?? user.roleId,
    password_hash: hashes.get(user.password) ?? '',
    security_stamp: user.id,
  }));
  await transaction
    .insertInto('account')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Clinics, staff and patients of the demo, without their images. What is there already stays as it is. */
export const seedPeople = async (
  transaction: Transaction<Schema>,
  clinic: DemoClinic,
  hashOf: (password: string) => Promise<string>,
): Promise<void> => {
  await seedClinics(transaction, clinic);
  await seedAccounts(transaction, clinic, hashOf);
  for (const { studies: _, patientId: __, ...patient } of clinic.patients) await insertPatient(transaction, patient);
};
