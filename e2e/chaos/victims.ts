import type { Cluster } from '@postmaster/cluster';

/** Something that can be killed and brought back. */
export interface Victim {
  name: string;
  kill(): Promise<unknown>;
  restart(): Promise<void>;
}

/** Each service's replicas, the gateway, nats-server and Postgres: one entry for each kind, its replicas in turn. */
export const victimsOf = (cluster: Cluster): Victim[] => {
  const { postgres, nats } = cluster.neighbours;
  const services = [...new Set(cluster.replicas.map(({ service }) => service))];
  const turns = new Map<string, number>();
  const replicaOf = (service: string) => {
    const all = cluster.replicas.filter((one) => one.service === service);
    const turn = turns.get(service) ?? 0;
    turns.set(service, turn + 1);
    const chosen = all[turn % all.length];
    if (!chosen) throw new Error(`There is no ${service}.`);
    return chosen;
  };
  return [
    ...services.map((service) => {
      let killed = replicaOf(service);
      return {
        name: service,
        kill: () => cluster.end((killed = replicaOf(service))),
        restart: () => cluster.start(killed),
      };
    }),
    { name: 'gateway', kill: () => cluster.gateway.end('SIGKILL'), restart: () => cluster.gateway.start() },
    { name: 'nats', kill: () => nats.kill(), restart: () => nats.restart() },
    { name: 'postgres', kill: () => postgres.kill(), restart: () => postgres.restart() },
  ];
};
