/* SPDX-License-Identifier: MIT
 *
 * Requests waiting at a memory controller. FR-FCFS looks for open rows; a plain FIFO does not; one
 * FIFO per bank is a second stage behind it. */
#include "base/bits.h"
#include "cache/structure.h"

static void queue(const struct structure_params *p, uint32_t entries, bool is_searched,
                  struct array *out)
{
    const struct dram_params *s = p->dram;
    *out = (struct array){
        .kind = is_searched ? ARRAY_CAM : ARRAY_QUEUE,
        .entries = entries,
        .banks = 1,
        .read_ports = 1,
        .write_ports = 1,
        .search_ports = is_searched ? 1 : 0,
        .one_cycle = true,
    };
    uint32_t bank = bits_clog2(s->banks),
             column = bits_clog2(s->row_bytes / (s->bus_bytes * s->burst));
    uint32_t row =
        p->gpu->address_bits - bits_clog2(s->row_bytes) - bank - bits_clog2(s->controllers);
    if (is_searched) {
        array_add_searched(out, "bank", bank);
        array_add_searched(out, "row", row);
    } else {
        array_add_field(out, "bank", bank);
        array_add_field(out, "row", row);
    }
    array_add_field(out, "column", column);
    array_add_field(out, "is write", 1);
    array_add_field(out, "requester",
                    bits_clog2(p->llc->slices_per_mc) + bits_clog2(p->llc->mshr_entries));
    array_add_valid(out, "valid", 1);
}

bool dram_queue_geometry(const struct structure_params *p, struct array *out)
{
    queue(p, p->dram->queue, p->dram->scheduler == DRAM_frfcfs, out);
    return true;
}

bool dram_bank_queues_geometry(const struct structure_params *p, struct array *out)
{
    if (p->dram->scheduler != DRAM_banked_fifo)
        return false;
    queue(p, p->dram->banks * p->dram->bank_queue, false, out);
    return true;
}
