# bash completion for crosswatt. Made by `crosswatt docs` from the program's tables.
_crosswatt()
{
    local cur prev command options
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD - 1]}
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "cc check cluster compare cost cost-array cost-cell cost-link cost-network cost-router docs explore gen import keys net power reproduce results run show silicon sim stats trace --help --version" -- "$cur"))
        return
    fi
    command=${COMP_WORDS[1]}
    if [ "$prev" = --set ]; then
        COMPREPLY=($(compgen -S = -W "gpu.sms gpu.clusters gpu.core_clock_ghz gpu.l2_clock_ghz gpu.dram_clock_ghz gpu.address_bits gpu.generation gpu.network gpu.local.depth gpu.local.cycles gpu.local.serial gpu.switch.source_queue gpu.switch.depth gpu.switch.sink_queue gpu.packet_header gpu.launch_cycles gpu.card sm.warps sm.threads sm.ctas sm.registers sm.shared sm.shared_banks sm.shared_latency sm.shared_pipeline sm.schedulers sm.scheduler sm.issue_per_scheduler sm.issue_same_unit sm.warp_limit sm.predicate_latency sm.jump_cycles sm.bypass sm.int.latency sm.int.interval sm.fp32.latency sm.fp32.interval sm.fp64.latency sm.fp64.interval sm.sfu.latency sm.sfu.interval sm.fp16.lanes sm.int_mul.unit sm.int_mul.lanes sm.shift.lanes sm.bits.unit sm.bits.lanes sm.convert.lanes sm.convert64.lanes sm.shuffle.lanes sm.shuffle.latency sm.barrier.lanes sm.barrier.latency sm.tensor.latency sm.tensor.interval sm.branch.latency sm.branch.interval sm.fp32.units sm.int.units sm.fp64.units sm.sfu.units sm.tensor.units sm.branch.units sm.uniform.units sm.uniform.latency sm.uniform.interval sm.sub_cores sm.fetches_per_cycle sm.collectors sm.fence_flushes_l1 sm.pipeline sm.collector_ports sm.sfu.collectors sm.sfu.collector_ports sm.fp64.collectors sm.fp64.collector_ports sm.result_buses sm.memory_collectors sm.register_banks sm.register_ports sm.icache.size sm.icache.ways sm.icache.line sm.icache.mshr sm.icache.merges sm.const.size sm.const.ways sm.const.line sm.const.cycles sm.texture.size sm.texture.ways sm.texture.units sm.texture.interval sm.texture.cycles l1.size l1.ways l1.line l1.sector l1.tags_per_cycle l1.banks l1.write l1.index l1.hit_cycles l1.pipeline_cycles l1.mshr.entries l1.mshr.merges l1.lookup_cycles l1.misses_per_cycle l1.miss_queue l1.response_queue l1.write_allocate l1.keep_dirty_below l1.unified l1.carve_outs l1.join_sectors l1.allocate l1.keep_between_kernels l1.bypass_skips_pipeline l1.bypass_global_loads l1.bypass_loads l1.slot_groups l1.tags_first coalescer.kind coalescer.rule coalescer.warppool.queues coalescer.warppool.depth coalescer.warppool.coalescers coalescer.warppool.merge_queues coalescer.warppool.tags coalescer.warppool.merges coalescer.warppool.thread_maps coalescer.warppool.writeback coalescer.warppool.policy coalescer.warppool.quantum coalescer.warppool.toggle coalescer.mrpb.queues coalescer.mrpb.depth cluster.unbuffered cluster.concentrator cluster.inject_depth cluster.response_depth cluster.icc.entries cluster.icc.cycles cluster.cc.entries cluster.cc.cycles noc.topology noc.routing noc.shared noc.width noc.vcs noc.vc_depth noc.clock_ghz noc.clock_limit noc.traversal_stages noc.slow_allocation noc.gating noc.register_mm noc.mesh.columns noc.mesh.rows noc.mesh.placement noc.mesh.memory_nodes noc.clos.m noc.clos.n noc.clos.r noc.butterfly.k noc.butterfly.n noc.cdxbar.groups noc.cdxbar.ports noc.hierarchical.tpc noc.hierarchical.gpcs noc.hierarchical.tpc_ports noc.hierarchical.gpc_ports noc.hierarchical.partitions noc.hierarchical.crossings noc.hierarchical.crossing_cycles noc.hierarchical.direct noc.hierarchical.halves noc.cfnoc.columns noc.cfnoc.rows noc.cfnoc.queue noc.cfnoc.drain noc.cfnoc.token noc.hrcnet.folded noc.hrcnet.deal noc.hrcnet.reply_slots noc.custom.routers noc.custom.links noc.custom.routes noc.router.routing_delay noc.router.vc_alloc_delay noc.router.sw_alloc_delay noc.router.traversal_delay noc.router.credit_delay noc.router.speculative noc.router.lookahead noc.router.allocator noc.router.arbiter noc.router.iterations noc.router.input_speedup noc.router.output_speedup noc.router.internal_speedup noc.router.extra_alloc_cycles noc.power_gating.idle_cycles noc.power_gating.wake_cycles noc.power_gating.break_even noc.power_gating.saved noc.source.vcs noc.packet_merge.entries noc.packet_merge.max_flits noc.packet_merge.slack noc.packet_merge.cycles_per_hop noc.packet_merge.requests_per_flit noc.packet_merge.hold_grant noc.packet_merge.delay_only llc.slices llc.size llc.ways llc.line llc.sector llc.banks llc.slice_hash llc.queue llc.hit_cycles llc.pipeline_cycles llc.mshr.entries llc.mshr.merges llc.index llc.interleave llc.miss_queue llc.dram_queue llc.atomic_cycles llc.evict_port llc.dirty_limit llc.miss_before_writeback llc.sectors_one_by_one llc.host_copies_fill llc.far_copies llc.tags_first dram.controllers dram.kind dram.banks dram.bank_groups dram.ranks dram.row dram.bus dram.burst dram.scheduler dram.queue dram.bank_queue dram.controller_cycles dram.tcl dram.trp dram.trc dram.tras dram.trcd dram.trrd dram.tccd dram.twr dram.tccd_l dram.trtp dram.twtr dram.tfaw dram.tcwl dram.trefi dram.trfc dram.refresh dram.map dram.return_queue dram.bank_hash dram.write_queue.size dram.write_queue.high dram.write_queue.low dram.dual_command_bus cta.scheduler cta.block cta.share cta.limit cta.clustering.mode cta.clustering.index cta.clustering.order cta.clustering.tile cta.clustering.active_agents cta.clustering.task_cycles cta.clustering.start_cycles cta.clustering.prefetch cta.clustering.prefetch_insts cta.stagger compat.ptx_as_is compat.kernels_share_code_address compat.clock_edges compat.atomics_stall_warp compat.constant_loads_are_int compat.texture_loads_are_int compat.dram_turn_moves_in_clock compat.bank_group_in_low_bits compat.cta_turn_goes_on compat.cluster_order compat.dram_write_before_trcd tech.node tech.logic tech.array_node tech.temperature tech.voltage tech.vf_curve tech.dvfs tech.leakage tech.timing_mode tech.arbiters tech.switch tech.cell_margin tech.clock_skew tech.array_device tech.array_limit tech.links.sm tech.links.llc tech.links.router tech.wires.pitch tech.wires.layers tech.utilisation tech.tiles.sm tech.tiles.llc tech.tiles.mc tech.tiles.noc tech.tiles.other tech.tiles.spare_sms energy.noc_engine energy.array_engine energy.dsent_path energy.cacti_path energy.cache energy.timeout energy.fallback energy.core energy.core_base energy.dram energy.leakage energy.scaling energy.constant energy.coalescer energy.collectors energy.table energy.user sim.seed sim.start sim.max_cycles sim.restart sim.watchdog sim.livelock sim.locality_window sim.coalescing_windows sim.verify synth.ctas synth.threads synth.rounds synth.compute synth.stores synth.bytes synth.stride synth.footprint synth.columns synth.seed " -- "$cur"))
        compopt -o nospace 2>/dev/null
        return
    fi
    options="--set --allow-tools --json --quiet --help "
    case $command in
        cc) options="$options" ;;
        check) options="$options --resolved" ;;
        cluster) options="$options --design --preset --classify --feasibility --occupancy --turns --seeds --threads --fresh" ;;
        compare) options="$options --workloads --output --preset --threads --fresh --all --equal --seeds --assumptions --assumptions-preset --no-curves" ;;
        cost) options="$options --rate --reply --activity --cycles --all --plot --figure --energy-table" ;;
        cost-array) options="$options --csv --engine --cacti --cache --timeout --model --repeat" ;;
        cost-cell) options="$options --csv --model" ;;
        cost-link) options="$options --csv --fmax --engine --dsent --timeout --cache" ;;
        cost-network) options="$options --csv --model" ;;
        cost-router) options="$options --csv --fmax --engine --dsent --timeout --cache" ;;
        docs) options="$options --out --check" ;;
        explore) options="$options --output --preset --threads --exhaustive --assumptions --no-run --shard --ask --tell --slurm --shards --sbatch --wait" ;;
        gen) options="$options --out --only --routes --cacti" ;;
        import) options="$options --out --launch-latency --approximate --options" ;;
        keys) options="$options" ;;
        net) options="$options --rate --traffic --flits --cycles --warmup --sweep --all --range --saturation --bursts --outstanding --writes --permutation --trace --seed --out --wires --allow-cycles --booksim --booksim-csv --packets --seeds --jobs --verify --general --shuffle" ;;
        power) options="$options --base --clock --sms --samples" ;;
        reproduce) options="$options --figure --claims --kind --quick --output --preset --threads --fresh" ;;
        results) options="$options --design --workload --window --columns --csv --designs --failures --description --sql" ;;
        run) options="$options --device --output --kernels --launches --skip --as-ptx --outside --races" ;;
        show) options="$options --allow-cycles --why" ;;
        silicon) options="$options --card --only --threads --strict --record --csv --markdown" ;;
        sim) options="$options --preset --interval --interval-file --all --per-sm --solo --noc-demand --verify --no-energy --dvfs --plot --no-skip" ;;
        stats) options="$options" ;;
        trace) options="$options --output --preset --dump --as-ptx --races --info --all --line" ;;
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
    elif [ "$command" = keys ]; then
        COMPREPLY=($(compgen -W "gpu sm l1 coalescer cluster noc llc dram cta compat tech energy sim synth " -- "$cur"))
    else
        COMPREPLY=($(compgen -f -- "$cur"))
    fi
}
complete -o filenames -F _crosswatt crosswatt
