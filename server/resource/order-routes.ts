import type { FastifyInstance } from 'fastify';
import {
  clinicOrderCancel,
  clinicOrderCreate,
  clinicOrderList,
  orderCancel,
  orderCreate,
  orderDay,
  orderList,
  orderUpdate,
} from '../../contract/orders.ts';
import { findPatientsByNameOrNumber } from '../db/stores/named-patients.ts';
import { findOrder } from '../db/stores/orders.ts';
import { type GivenPatient, identifiedPatient } from '../domain/identified-patient.ts';
import { personalNumberKey } from '../domain/personal-number.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { bind } from '../route-binding.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { createOrders } from './orders.ts';

/** Registers the routes of orders of images: those of users, and those of programs, which know patients by personal number. */
export const orderRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding } = deps;
  const orders = createOrders(deps);

  bind(server, binding, orderList, (call) => orders.list(call, call.params.id));

  bind(server, binding, orderCreate, (call) => {
    const { patientId, ...order } = call.body;
    return orders.create(call, patientId, order);
  });

  bind(server, binding, orderDay, (call) => orders.ofDay(call, call.params.customerId, call.query.day));

  bind(server, binding, orderUpdate, (call) => orders.update(call, call.body));

  bind(server, binding, orderCancel, async (call) => {
    await orders.cancel(call, call.body.id);
    return {};
  });

  const requireClinic = (principal: Principal, clinic: string): void => {
    if (!canUseClinic(principal, clinic)) throw new ProblemError('not-found');
  };

  const patientIdOf = async (principal: Principal, clinic: string, given: GivenPatient): Promise<string> => {
    requireClinic(principal, clinic);
    const numbers = [personalNumberKey(given.personalNumber, given.birthDate)];
    return identifiedPatient(given, await findPatientsByNameOrNumber(db, clinic, { numbers, words: [] })).id;
  };

  bind(server, binding, clinicOrderList, async (call) =>
    orders.list(call, await patientIdOf(call.principal, call.params.clinic, call.body.patient)),
  );

  bind(server, binding, clinicOrderCreate, async (call) => {
    const { patient, ...order } = call.body;
    return orders.create(call, await patientIdOf(call.principal, call.params.clinic, patient), order);
  });

  bind(server, binding, clinicOrderCancel, async (call) => {
    const { clinic } = call.params;
    requireClinic(call.principal, clinic);
    if ((await findOrder(db, call.body.id))?.customer_id !== clinic) throw new ProblemError('not-found');
    await orders.cancel(call, call.body.id);
    return {};
  });
};
