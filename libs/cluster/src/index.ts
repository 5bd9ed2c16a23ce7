export { type Balancer, startBalancer } from './balancer.js';
export { missingPrograms, type Neighbours, type Part, type Service, SERVICES } from './neighbours.js';
export type { Replica } from './replica.js';
export { type Cluster, type ClusterOptions, startCluster } from './start-cluster.js';
